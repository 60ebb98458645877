import { sql } from 'kysely';
import { type OwnerId, parsePublicId, type ResourceType } from '../vocabulary/ids.ts';
import type { Db } from './database.ts';

/** What the target of an audit event is called now. */
export interface AuditTarget {
  /** Null for one without a name, and for one whose row is gone. */
  readonly name: string | null;
  /** Whether it was deleted, revoked or removed. */
  readonly ended: boolean;
}

interface Named {
  readonly resource: ResourceType;
  readonly table: string;
  readonly name: string;
  /** Set once it has ended; null if its row is then deleted. */
  readonly ended: string | null;
}

/** Targets that have names, none of which a bank or a payee chose. */
const NAMED: readonly Named[] = [
  { resource: 'api_key', table: 'api_keys', name: 'name', ended: 'revoked_at' },
  { resource: 'category', table: 'categories', name: 'name', ended: null },
  { resource: 'connection', table: 'connections', name: 'institution_name', ended: 'revoked_at' },
  { resource: 'destination', table: 'destinations', name: 'name', ended: null },
  { resource: 'event_destination', table: 'event_destinations', name: 'name', ended: null },
  { resource: 'invitation', table: 'invitations', name: 'email', ended: 'revoked_at' },
  { resource: 'oauth_grant', table: 'oauth_grants', name: 'client_name', ended: 'revoked_at' },
  { resource: 'rule', table: 'rules', name: 'name', ended: null },
  { resource: 'ruleset', table: 'rulesets', name: 'name', ended: null },
  { resource: 'saved_view', table: 'saved_views', name: 'name', ended: null },
  { resource: 'simplefin_app', table: 'simplefin_apps', name: 'name', ended: 'revoked_at' },
  { resource: 'simplefin_setup_token', table: 'simplefin_setup_tokens', name: 'name', ended: 'revoked_at' },
  { resource: 'sync', table: 'syncs', name: 'name', ended: null },
];

/**
 * What the targets are called that have a name, by the id that v2 shows; no entry for the others. Of people, only
 * members of the account record have one.
 */
export async function auditTargets(
  db: Db,
  owner: OwnerId,
  targets: readonly string[],
): Promise<ReadonlyMap<string, AuditTarget>> {
  const found = new Map<string, AuditTarget>();
  const members = idsIn('user', targets);
  if (members.size > 0) {
    const { rows } = await sql<Row>`select users.id, users.email as name, false as ended
      from memberships join users on users.id = memberships.user_id
      where memberships.account_record = ${owner} and users.id in (${sql.join([...members.keys()])})`.execute(
      db,
    );
    fill(found, members, rows);
  }
  for (const { resource, table, name, ended } of NAMED) {
    const ids = idsIn(resource, targets);
    if (ids.size === 0) continue;
    const { rows } = await sql<Row>`select id, ${sql.ref(name)} as name,
      ${ended === null ? sql`false` : sql`${sql.ref(ended)} is not null`} as ended
      from ${sql.table(table)}
      where account_record = ${owner} and id in (${sql.join([...ids.keys()])})`.execute(db);
    fill(found, ids, rows);
  }
  return found;
}

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly ended: boolean;
}

/** The targets of one kind, by the ids of their rows. */
function idsIn(resource: ResourceType, targets: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    targets.flatMap((target): [string, string][] => {
      const id = parsePublicId(resource, target);
      return id === null ? [] : [[id, target]];
    }),
  );
}

function fill(found: Map<string, AuditTarget>, ids: ReadonlyMap<string, string>, rows: readonly Row[]): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, target] of ids) {
    const { name = null, ended = true } = byId.get(id) ?? {};
    found.set(target, { name, ended });
  }
}
