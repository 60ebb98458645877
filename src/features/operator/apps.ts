import type { ApiKey } from '../../storage/api-keys.ts';
import type { SimplefinApp, SimplefinAppChange } from '../../storage/simplefin-apps.ts';
import type { SimplefinSetupToken } from '../../storage/simplefin-setup-tokens.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import type { AccountRecords } from '../access/account-records.ts';
import type { ApiKeys, NewApiKey } from '../access/api-keys.ts';
import type { NewApp, SetupTokens } from '../access/setup-tokens.ts';
import type { SimplefinApps } from '../access/simplefin-apps.ts';
import { type AuditLog, BY_OPERATOR } from '../audit/audit-log.ts';
import type { ConnectedApp, ConnectedApps } from '../oauth/connected-apps.ts';
import { wrongInput } from './refusal.ts';

const PAGE = 100;
const OPERATOR_ENTRY = { by: BY_OPERATOR, from: null } as const;

export interface OperatorKeysParts {
  readonly accountRecords: Pick<AccountRecords, 'find'>;
  readonly apiKeys: Pick<ApiKeys, 'create'>;
  readonly auditLog: Pick<AuditLog, 'recording'>;
}

/** API keys that operators create, which needs nothing but the database. */
export class OperatorKeys {
  readonly #parts: OperatorKeysParts;

  constructor(parts: OperatorKeysParts) {
    this.#parts = parts;
  }

  /** `secret` exists only in the result. Raises `resource_missing` and what a new key raises. */
  async createKey(
    owner: OwnerId,
    wanted: NewApiKey,
  ): Promise<{ readonly key: ApiKey; readonly secret: string }> {
    const { accountRecords, apiKeys, auditLog } = this.#parts;
    await accountRecords.find(owner);
    return auditLog.recording(
      owner,
      () => apiKeys.create(owner, wanted, null),
      ({ key }) => ({ kind: 'api_key.created', ...OPERATOR_ENTRY, target: publicId('api_key', key.id) }),
    );
  }
}

export interface OperatorAppsParts extends OperatorKeysParts {
  readonly setupTokens: Pick<SetupTokens, 'create'>;
  readonly simplefinApps: Pick<SimplefinApps, 'list' | 'ownerOf' | 'revoke' | 'update'>;
  readonly connectedApps: Pick<ConnectedApps, 'list' | 'ownerOf' | 'revoke'>;
}

/** How programs get access: API keys, and apps of the bridge and of OAuth. Each change is recorded in the audit log. */
export class OperatorApps extends OperatorKeys {
  readonly #parts: OperatorAppsParts;

  constructor(parts: OperatorAppsParts) {
    super(parts);
    this.#parts = parts;
  }

  /** `secret` exists only in the result. Raises `resource_missing` and what a new setup token raises. */
  async createSetupToken(
    owner: OwnerId,
    wanted: NewApp,
  ): Promise<{ readonly token: SimplefinSetupToken; readonly secret: string }> {
    const { accountRecords, setupTokens, auditLog } = this.#parts;
    await accountRecords.find(owner);
    return auditLog.recording(
      owner,
      () => setupTokens.create(owner, wanted, null),
      ({ token }) => ({
        kind: 'simplefin_setup_token.created',
        ...OPERATOR_ENTRY,
        target: publicId('simplefin_setup_token', token.id),
      }),
    );
  }

  /** Each kind newest first, ended ones included. Raises `resource_missing`. */
  async list(
    owner: OwnerId,
  ): Promise<{ readonly simplefin: readonly SimplefinApp[]; readonly oauth: readonly ConnectedApp[] }> {
    const { accountRecords, simplefinApps, connectedApps } = this.#parts;
    await accountRecords.find(owner);
    return {
      simplefin: await everyPage((request) => simplefinApps.list(owner, request)),
      oauth: await everyPage((request) => connectedApps.list(owner, request)),
    };
  }

  /** @throws OperatorRefusal if nothing is to be changed. Raises `resource_missing`. */
  async update(id: RowId<'simplefin_app'>, change: SimplefinAppChange): Promise<SimplefinApp> {
    const { simplefinApps, auditLog } = this.#parts;
    if (Object.keys(change).length === 0) {
      throw wrongInput(
        null,
        'Nothing to change. Say whether amounts have two decimals, whether extra is left out, or both.',
      );
    }
    const owner = await simplefinApps.ownerOf(id);
    const target = publicId('simplefin_app', id);
    return auditLog.recording(
      owner,
      () => simplefinApps.update(owner, id, change),
      () => ({ kind: 'simplefin_app.updated', ...OPERATOR_ENTRY, target }),
    );
  }

  /** Its credentials stop working at once, in every process. Raises `resource_missing`. */
  async revoke(id: RowId<'simplefin_app'>): Promise<SimplefinApp> {
    const { simplefinApps, auditLog } = this.#parts;
    const owner = await simplefinApps.ownerOf(id);
    const target = publicId('simplefin_app', id);
    return auditLog.recording(
      owner,
      () => simplefinApps.revoke(owner, id),
      () => ({ kind: 'simplefin_app.revoked', ...OPERATOR_ENTRY, target }),
    );
  }

  /** The same for an app connected by OAuth. */
  async disconnect(grant: RowId<'oauth_grant'>): Promise<ConnectedApp> {
    const { connectedApps, auditLog } = this.#parts;
    const owner = await connectedApps.ownerOf(grant);
    const target = publicId('oauth_grant', grant);
    return auditLog.recording(
      owner,
      () => connectedApps.revoke(owner, grant),
      () => ({ kind: 'connected_app.revoked', ...OPERATOR_ENTRY, target }),
    );
  }
}

async function everyPage<T extends { readonly id: string }>(
  list: (request: PageRequest) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | null = null;
  do {
    const page = await list({ limit: PAGE, after, before: null });
    all.push(...page.items);
    after = page.hasMore ? (page.items.at(-1)?.id ?? null) : null;
  } while (after !== null);
  return all;
}
