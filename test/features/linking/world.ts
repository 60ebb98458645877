import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type AuBankingSimulator, startAuBankingSimulator } from '../../../sandbox/au-banking/server.ts';

import {
  type AuBankingProvider,
  createAuBankingProvider,
} from '../../../src/connectors/providers/au-banking/connector.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import { AccountRecords } from '../../../src/features/access/account-records.ts';
import { AuditLog } from '../../../src/features/audit/audit-log.ts';
import type { EventTrigger } from '../../../src/features/events/event-log.ts';
import type { BrowserProof, LinkStep } from '../../../src/features/linking/link-flow.ts';
import { createLinking, type Linking, type LinkingOptions } from '../../../src/features/linking/linking.ts';
import type { LinkingHooks } from '../../../src/features/linking/linking-dependencies.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { Keyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import type { Db } from '../../../src/storage/database.ts';
import { Jobs } from '../../../src/storage/jobs.ts';
import { Notices } from '../../../src/storage/notices.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { type ConsentChoices, completeConsent } from '../../support/consent-client.ts';
import { openTestDatabase } from '../../support/database.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;
export const LATER = 'https://app.example.test/later';

/** Linking against the simulated bank on a clock that stands still until moved. */
export interface World {
  readonly db: Db;
  readonly clock: SimulatedClock;
  readonly linking: Linking;
  /** What linking was built from, for a second process. */
  readonly options: LinkingOptions;
  readonly bank: AuBankingSimulator;
  readonly jobs: Jobs;
  readonly gateway: ProviderGateway;
  readonly keyring: Keyring;
  /** Kinds of the events of committed transactions, oldest first. */
  readonly events: string[];
  /** Connections whose revocation reached the syncs. */
  readonly revoked: string[];
  /** Connections whose cached data every process was asked to forget. */
  readonly forgotten: string[];
  readonly log: ReturnType<typeof createLog>;
  person(): Promise<AccountRecord>;
  /** Starts a session and goes as far as the bank's answer; the callback address is not opened. */
  consent(owner: AccountRecord, choices?: ConsentChoices & Start): Promise<Consented>;
  /** Consents on a page of the bank that was opened; the callback address is not opened. */
  approve(url: string, choices?: ConsentChoices): Promise<URL>;
  /** Opens the callback in the browser that began, or in one that has no cookie of it. */
  openCallback(consented: Consented, browser?: 'same' | 'another'): Promise<LinkStep>;
  /** Links and imports the accounts. */
  link(owner: AccountRecord, choices?: ConsentChoices & Start): Promise<RowId<'connection'>>;
  close(): Promise<void>;
}

export interface Consented {
  readonly token: string;
  readonly callback: URL;
  readonly proof: BrowserProof | null;
}

export interface Start {
  readonly at?: string;
  readonly renews?: RowId<'connection'>;
}

export const signal = (): AbortSignal => AbortSignal.timeout(60_000);

/** `disguise` is in front of the adapter, for vendors that behave as the simulator does not. */
export async function openWorld(
  disguise: (provider: AuBankingProvider) => Provider = (real) => real,
): Promise<World> {
  const test = await openTestDatabase();
  const { db } = test;
  const clock = new SimulatedClock(NOW);
  const log = createLog({ level: 'silent' });
  const bank = await startAuBankingSimulator({
    clientId: 'client',
    clientSecret: 'secret',
    clock,
    firstSyncDelayMs: 0,
  });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [new URL(bank.url).origin] });
  const limits = DEFAULT_LIMITS;
  const { url: baseUrl, clientId, clientSecret } = bank;
  const provider = disguise(
    createAuBankingProvider({ http, clock, log, limits, baseUrl, clientId, clientSecret, version: 'v3' }),
  );
  const cache = new MemoryCache(clock, {
    bytes: limits.cache_bytes,
    ownerBytes: limits.cache_owner_bytes,
  });
  const gateway = new ProviderGateway({
    providers: new Map([['au_banking', provider]]),
    cache,
    limits,
    clock,
    log,
    metrics: new Metrics({ process: false }),
  });
  const notices = new Notices(test.database);
  const jobs = new Jobs({ clock, notices });
  const forgotten: string[] = [];
  notices.onNotice(({ kind, id }) => {
    if (kind === 'connection') forgotten.push(id);
  });
  await notices.start();
  const events: string[] = [];
  const revoked: string[] = [];
  const record: EventTrigger = async (_trx, _owner, kind) => {
    events.push(kind);
  };
  const hooks: LinkingHooks = {
    onConnectionRevoked: async (_trx, _owner, connection) => {
      revoked.push(connection);
    },
    onProviderData: async () => undefined,
  };
  const keyring = new Keyring([{ id: 'one', key: randomBytes(32) }]);
  const publicUrl = 'https://hub.example.test';
  const options = {
    db,
    clock,
    limits,
    keyring,
    gateway,
    jobs,
    notices,
    hooks,
    events: record,
    auditLog: new AuditLog({ db, clock, log, limits }),
    publicUrl,
    appUrl: publicUrl,
  };
  const linking = createLinking(options);
  const records = new AccountRecords({ db, clock, notices });
  let people = 0;

  const consent: World['consent'] = async (owner, { at = 'inst_fk_90001', renews, ...choices } = {}) => {
    // The vendor tells consents apart by the second.
    clock.advance(2_000);
    const opened =
      renews === undefined
        ? await linking.linkSessions.create(
            owner.id,
            { provider: 'au_banking', institution: at, returnUrl: LATER, metadata: null, actor: SOME_KEY },
            signal(),
          )
        : await linking.linkSessions.reauthorize(owner.id, renews, {
            provider: null,
            returnUrl: LATER,
            metadata: null,
            actor: SOME_KEY,
          });
    const token = opened.url.slice(opened.url.lastIndexOf('/') + 1);
    const begun = await linking.hostedLinks.flow.begin(token);
    assert.ok(begun.kind === 'go' && begun.url.startsWith(bank.url));
    return { token, callback: await completeConsent(begun.url, choices), proof: begun.proof };
  };

  const openCallback: World['openCallback'] = ({ callback, proof }, browser = 'same') => {
    const { state = '', ...query } = Object.fromEntries(callback.searchParams);
    const shown = browser === 'same' ? proof : null;
    return linking.hostedLinks.flow.handleCallback(state, query, (name) =>
      name === shown?.name ? shown.value : null,
    );
  };

  return {
    db,
    clock,
    linking,
    bank,
    jobs,
    gateway,
    keyring,
    events,
    revoked,
    forgotten,
    log,
    options,
    consent,
    approve: (url, choices = {}) => completeConsent(url, choices),
    openCallback,
    person: async () => {
      people += 1;
      return records.create({ email: `person${people}@example.test` });
    },
    link: async (owner, choices) => {
      const step = await openCallback(await consent(owner, choices));
      assert.deepEqual(step, { kind: 'go', url: `${LATER}?link_session=completed` });
      const session = await db
        .selectFrom('link_sessions')
        .selectAll()
        .where('account_record', '=', owner.id)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      assert.ok(session.connection);
      return session.connection;
    },
    close: async () => {
      await notices.stop();
      await http.close();
      await bank.close();
      await test.close();
    },
  };
}

/** Waits for work that pauses on the clock, by letting time pass whenever something sleeps. */
export async function passing<T>(world: World, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    if (world.clock.sleeping > 0) world.clock.advance(500);
  }, 20);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Every row of every table of ours as one text, to search. */
export async function dump(db: Db): Promise<string> {
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables.rows) {
    const rows = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} as t`.execute(db);
    parts.push(...rows.rows.map((found) => `${name}: ${found.row}`));
  }
  return parts.join('\n');
}
