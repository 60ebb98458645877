import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SimulatorControl } from '../../../sandbox/shared/control.ts';
import type {
  Provider,
  ProviderAccess,
  ProviderAccount,
} from '../../../src/connectors/providers/provider-contract.ts';
import type { GatewayAccount } from '../../../src/features/provider-gateway/gateway-types.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { ERROR_CODES } from '../../../src/vocabulary/error-codes.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import {
  UPSTREAM_FAILURES,
  UpstreamFailure,
  type UpstreamSituation,
} from '../../../src/vocabulary/upstream-failures.ts';
import { memoryPauses } from '../../features/provider-gateway/open-gateway.ts';
import { cell, plain, tableRows } from '../../house/markdown.ts';
import {
  type Ending,
  FAULT_ROWS,
  type FaultDifferences,
  type FaultName,
  type FaultRow,
  type Happening,
  isFaultName,
} from './failure-rows.ts';

/** A vendor of an adapter, as this suite breaks it. The suite knows nothing else about either. */
export interface FailureHarness {
  readonly provider: Provider;
  readonly control: Pick<SimulatorControl, 'addFault' | 'clear' | 'clearRequests' | 'requests'>;
  /** Faults of these routes hit: `one` the read of a balance or of holdings, `rows` that of transactions or trades. */
  readonly routes: { readonly one: string; readonly rows: string };
  /** Links someone again, whose account has several pages of rows, all of them there. */
  link(): Promise<BreakableLink>;
  /** The same while the vendor still copies older rows from the bank. Left out where that cannot happen. */
  linkWhileLoading?(): Promise<BreakableLink & { arrive(): void }>;
  /**
   * Whether the first of endless pages is handed on before the second fails: a page that came is a success, so the
   * failures are not in a row and the breaker stays closed.
   */
  readonly handsOnFirstPage?: boolean;
  readonly differences: FaultDifferences;
  shut(): Promise<void>;
}

/** A link, and what can happen to it. What cannot is left out. */
export interface BreakableLink {
  readonly grant: ProviderAccess;
  readonly account: ProviderAccount;
  readonly timezone: string;
  /** What the bank holds of the account. */
  readonly rows: number;
  withdraw(): void;
  closeAccount(): void;
  disable?(): void;
}

type Read = 'one' | 'rows';
type Adjustable = { -readonly [K in keyof Limits]: Limits[K] };

const never = new AbortController().signal;
const EVER = { from: localDate('2001-01-01'), to: localDate('2027-01-01') };
/** The breaker of a test opens after so many failures, and stays open. */
const FAILURES = 2;
const SLOW_MS = 250;
/** More than any read asks. */
const ALWAYS = 100_000;
const PAGE = readFileSync(new URL('../../../docs/provider-failures.md', import.meta.url), 'utf8');

/**
 * Every fault of docs/provider-failures.md#what-each-fault-ends-as against an adapter, its simulator and the gateway.
 *
 * @param open is given the limits that the adapter has to read at each call, as `VendorCalls` does: the suite shortens the deadline
 */
export function describeFailures(name: string, open: (limits: Limits) => Promise<FailureHarness>): void {
  describe(`when ${name} fails`, () => {
    const limits: Adjustable = { ...DEFAULT_LIMITS };
    let vendor: FailureHarness;

    before(async () => {
      vendor = await open(limits);
    });
    after(() => vendor.shut());

    const meet = (link: BreakableLink): Meeting => meeting(vendor, limits, link);

    it('the page says where it differs from the others', () => {
      const said = tableRows(PAGE, 'Where a provider differs')
        .filter((row) => plain(cell(row, 'Provider')) === vendor.provider.identifier)
        .map((row) => [plain(cell(row, 'Fault')), plain(cell(row, 'Ends as')), cell(row, 'Why')]);
      const declared = Object.entries(vendor.differences).map(([fault, { ends, why }]) => [fault, ends, why]);
      assert.deepEqual(said.toSorted(), declared.toSorted());
    });

    for (const fault of Object.keys(FAULT_ROWS).filter(isFaultName)) {
      const row: FaultRow = FAULT_ROWS[fault];
      it(`${fault} ends as the page says`, async (test) => {
        const ends = vendor.differences[fault]?.ends ?? row.ends;
        if (ends === 'cannot') return test.skip(vendor.differences[fault]?.why ?? '');
        if (row.by === 'history-late') return loadingEnds(vendor, meet);
        const link = await vendor.link();
        const reads: readonly Read[] = row.pagesOnly === true ? ['rows'] : ['one', 'rows'];
        for (const read of reads) {
          const met = meet(link);
          if (typeof row.by === 'string') happen(link, row.by, fault);
          else vendor.control.addFault({ route: vendor.routes[read], ...row.by, count: ALWAYS });
          if (row.slow === true) limits.read_deadline_ms = SLOW_MS;
          try {
            if (ends === 'answers') await answers(met, read, link);
            else await fails(met, read, ends, row);
          } finally {
            limits.read_deadline_ms = DEFAULT_LIMITS.read_deadline_ms;
            vendor.control.clear();
          }
          const inARow = fault !== 'endless-pages' || vendor.handsOnFirstPage !== true;
          if (ends !== 'answers') await breakerAfter(vendor, met, read, ends, row, inARow);
        }
      });
    }
  });
}

function happen(link: BreakableLink, what: Happening, fault: FaultName): void {
  if (what === 'withdrawn') link.withdraw();
  if (what === 'closed') link.closeAccount();
  if (what !== 'disabled') return;
  assert.ok(link.disable, `the harness has to declare why ${fault} cannot happen`);
  link.disable();
}

interface Meeting {
  /** Reads through the gateway; the ids of the rows, or none for a read of one answer. */
  read(read: Read): Promise<readonly string[]>;
  readonly gateway: ProviderGateway;
  readonly account: GatewayAccount;
  /** Connections of which the gateway said that their grant is dead. */
  readonly told: readonly string[];
}

/** A gateway of its own, whose breaker knows of no failure. */
function meeting(vendor: FailureHarness, limits: Limits, link: BreakableLink): Meeting {
  const { provider } = vendor;
  const gateway = new ProviderGateway({
    providers: new Map([[provider.identifier, provider]]),
    cache: new MemoryCache(systemClock, { bytes: 0, ownerBytes: 0 }),
    limits,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
    breaker: { failures: FAILURES, restMs: 3_600_000 },
    pauses: memoryPauses(),
  });
  const told: string[] = [];
  gateway.providers.onGrantRejected(async (connection) => {
    told.push(connection);
  });
  const account: GatewayAccount = {
    id: rowId('account', randomUUID()),
    upstreamId: link.account.id,
    type: link.account.type,
    balanceSign: null,
    timezone: link.timezone,
    currency: link.account.currency,
    connection: {
      id: rowId('connection', randomUUID()),
      owner: rowId('account_record', randomUUID()),
      provider: provider.identifier,
      institution: BANK,
      grant: link.grant,
      caching: false,
    },
  };
  const able = provider.capabilities;
  const pages = () =>
    able.has('transactions')
      ? gateway.transactions.stream(account, { ...EVER, since: null, includePending: true }, never)
      : gateway.positions.streamTrades(account, EVER, never);
  const readRows = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const page of pages()) for (const { id } of page) ids.push(id);
    return ids;
  };
  const readOne = async (): Promise<string[]> => {
    // The stored balance: a second live one is refused for a quarter of an hour.
    if (!able.has('balance')) await gateway.positions.holdings(account, never);
    else
      await gateway.accounts.balance(
        { ...account, connection: { ...account.connection, caching: true } },
        {},
        never,
      );
    return [];
  };
  return { read: (read) => (read === 'one' ? readOne() : readRows()), gateway, account, told };
}

const BANK = 'Gumtree Mutual';

async function answers(met: Meeting, read: Read, link: BreakableLink): Promise<void> {
  const ids = await met.read(read);
  if (read === 'one') return;
  assert.equal(new Set(ids).size, ids.length, 'a row came twice');
  assert.equal(ids.length, link.rows);
}

async function fails(met: Meeting, read: Read, ends: UpstreamSituation, row: FaultRow): Promise<void> {
  const { code, invalidates } = UPSTREAM_FAILURES[ends];
  for (let turn = 0; turn < (isRemembered(row) ? 1 : FAILURES); turn++) {
    const error = await failureOf(met.read(read));
    assert.deepEqual([situationOf(error), error.code], [ends, code], error.message);
    const waits = error.status === 429 || error.status === 503;
    assert.equal(error.retryAfterSeconds, waits ? (row.retryAfterSeconds ?? 30) : null);
    assert.ok(error.message.includes(BANK), error.message);
    assert.equal(error.type, ERROR_CODES[code].type);
  }
  const { id } = met.account.connection;
  assert.deepEqual(new Set(met.told), new Set(invalidates ? [id] : []));
}

/** Once the vendor is whole again: whether it is asked, or the service still leaves it alone. */
async function breakerAfter(
  vendor: FailureHarness,
  met: Meeting,
  read: Read,
  ends: UpstreamSituation,
  row: FaultRow,
  inARow: boolean,
): Promise<void> {
  // A caller is notified of a missed deadline some steps before the adapter and the breaker do.
  await nextTurn();
  vendor.control.clearRequests();
  const next = met.read(read);
  if (UPSTREAM_FAILURES[ends].breaker && inARow) {
    assert.equal(situationOf(await failureOf(next)), 'breaker_open');
    assert.equal(vendor.control.requests().length, 0, 'an open breaker let a call through');
  } else if (isRemembered(row)) {
    assert.equal(situationOf(await failureOf(next)), 'account_cooldown');
    assert.equal(vendor.control.requests().length, 0, 'the vendor was asked before it wanted to be');
  } else {
    if (typeof row.by === 'string') assert.equal(situationOf(await failureOf(next)), ends);
    else await next;
    assert.ok(vendor.control.requests().length > 0);
  }
}

/** Older rows that have yet to come are no failure, and no sync takes what is there for the whole. */
async function loadingEnds(vendor: FailureHarness, meet: (link: BreakableLink) => Meeting): Promise<void> {
  assert.ok(vendor.linkWhileLoading, 'the harness has to declare why late-history cannot happen');
  const link = await vendor.linkWhileLoading();
  const { read, gateway, account } = meet(link);
  assert.equal(await gateway.accounts.historyState(account, never), 'loading');
  const early = await read('rows');
  assert.ok(early.length > 0 && early.length < link.rows, `${early.length} of ${link.rows} rows`);
  link.arrive();
  assert.equal(await gateway.accounts.historyState(account, never), 'complete');
  const all = new Set(await read('rows'));
  assert.equal(all.size, link.rows);
  for (const id of early) assert.ok(all.has(id), 'a row was lost when the others came');
}

/** Whether the vendor named a moment before which it does not want to be asked. */
function isRemembered(row: FaultRow): boolean {
  return row.ends === 'rate_limited' && row.retryAfterSeconds !== undefined;
}

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw error ?? new assert.AssertionError({ message: 'the read succeeded' });
}

function situationOf(error: ServiceError): Ending | null {
  return error.cause instanceof UpstreamFailure ? error.cause.situation : null;
}
