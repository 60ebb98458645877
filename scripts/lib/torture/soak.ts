import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Tributary } from '#client';
import { AuBankingControl } from '../../../sandbox/au-banking/control.ts';
import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import type { Simulator } from '../../../sandbox/shared/simulator.ts';
import type { StatementRow } from '../../../sandbox/shared/statement.ts';
import { DESTINATION_TYPES } from '../../../src/vocabulary/destination-kinds.ts';
import { addDays, localDateAt } from '../../../src/vocabulary/moments.ts';
import { median } from '../numbers.ts';
import type { ServiceChild } from '../service-child.ts';
import { ClockFile } from './clock-file.ts';
import {
  arrivedRows,
  clientOf,
  linkRows,
  makeOwner,
  makeTarget,
  type Owner,
  type Planned,
  startProcesses,
  startSimulators,
} from './cluster-service.ts';
import { eventReport } from './failover.ts';
import { LiveMemory, MEMORY_KINDS } from './live-memory.ts';
import type { Report } from './outcome.ts';
import type { PostgresCluster } from './postgres-cluster.ts';
import { RowReceiver } from './row-receiver.ts';
import { difference, MISBEHAVIOURS, MONTH_DAYS } from './scenarios/misbehaving-bank.ts';
import { Probe, Traffic, writeUntilDone } from './steady-writes.ts';
import { Asking, ask, succeeds, within } from './watch.ts';

const OWNERS = 6;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVENTS_PER_S = 4;
const PROBE_EVERY_MS = 500;
const NEW_ROWS_EVERY_MS = 3_000;
const NEW_SYNC_EVERY_MS = MINUTE_MS;
const SAMPLE_EVERY_MS = 15_000;
const NEW_SYNC_ROWS = 300;
const FIRST_ROWS = 200;
/** The oldest ones, which do not misbehave. */
const OPENING_ROWS = 2;
/** Before each fault, at most. */
const QUIET_MS = 12_000;
const TROUBLE_MS = 10_000;
const RECOVERY_MS = 90_000;
const SETTLE_MS = 10 * MINUTE_MS;
/** Until caches are full and code is compiled, as a part of the whole time. */
const WARM_UP = 0.25;
const NOT_WHOLE = 'the cluster was not whole again in time';
const MOST_MIB_PER_HOUR = 1;
/** Fewer say nothing about an hour. */
const ENOUGH_SAMPLES = 80;

/** What a vendor's API does wrong without ending consents. */
const VENDOR_FAULTS: readonly FaultKind[] = [
  'latency',
  'hang',
  'slow-header',
  'slow-body',
  'connection-reset',
  'rate-limit',
  'server-error',
  'unavailable',
  'malformed-json',
  'truncated-body',
  'wrong-content-type',
  'html-page',
  'oversized-body',
];
const DESTINATION_FAULTS: readonly FaultKind[] = [
  'latency',
  'connection-reset',
  'rate-limit',
  'server-error',
  'unavailable',
  'drop-answer',
];

export interface SoakOptions {
  readonly minutes: number;
  readonly onProgress: (text: string) => void;
}

/** An account whose rows the bank is given one after another, and the receiver of its sync. */
interface Dictated {
  readonly owner: Owner;
  /** The vendor's id. */
  readonly account: string;
  readonly sync: string;
  readonly receiver: RowReceiver;
  readonly rows: StatementRow[];
}

/**
 * Keeps a cluster under load for a long time, in which the primary of Postgres and processes are killed, vendors and
 * destinations fail, and the bank misbehaves; then counts every row and event, and how the memory of the processes
 * that were never killed changed.
 */
export async function soak(cluster: PostgresCluster, options: SoakOptions): Promise<readonly Report[]> {
  const { minutes, onProgress } = options;
  await using opened = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'tributary-soak-'));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const clock = new ClockFile(join(directory, 'ahead'));
  const memory = new LiveMemory(join(directory, 'memory'));
  const now = (): number => Date.now() + clock.aheadMs;
  const simulators = await startSimulators(directory, { now });
  opened.defer(async () => void (await Promise.all([...simulators.values()].map((one) => one.close()))));
  const processes = await startProcesses(cluster.url, directory, simulators, {
    env: { ...clock.env, ...memory.env },
    nodeOptions: [...clock.nodeOptions, ...memory.nodeOptions],
  });
  opened.defer(async () => void (await Promise.all(processes.map((one) => one.stop()))));
  const apis = processes.slice(0, 2);
  const bank = simulators.get('au_banking')?.control;
  if (!(bank instanceof AuBankingControl)) throw new Error('There is no simulated bank.');

  const dictated: Dictated[] = [];
  for (let at = 0; at < OWNERS; at++) {
    onProgress(`preparing account record ${at + 1}`);
    const owner = await makeOwner(processes, apis, at, at + 1);
    opened.defer(() => owner.receiver.close());
    opened.defer(() => owner.events[Symbol.asyncDispose]());
    const one = await dictate(owner, bank, now);
    opened.defer(() => one.receiver.close());
    dictated.push(one);
  }
  const owners = dictated.map(({ owner }) => owner);

  const started = performance.now();
  const end = started + minutes * MINUTE_MS;
  const stopping = new AbortController();
  const traffic = new Traffic(owners, minutes * 60 * EVENTS_PER_S);
  const [prober] = owners;
  if (prober === undefined) throw new Error('There is at least one account record.');
  const probePath = `/v2/event_destinations/${prober.eventDestination}`;
  const probes = prober.clients.map((client) => new Probe(client, probePath, PROBE_EVERY_MS));
  const reading = owners.flatMap((owner) =>
    ['/v2/accounts', `/v2/transactions?account=${owner.account}&limit=50`, '/v2/syncs'].map(
      (path, index) => new Asking(owner.clients[index % 2] ?? clientOf(owner), path, 1_000),
    ),
  );
  const planned: Copied[] = [];
  const loads = [
    repeat(stopping.signal, 1_000, () =>
      traffic.allow(((performance.now() - started) / 1_000) * EVENTS_PER_S),
    ),
    repeat(stopping.signal, NEW_ROWS_EVERY_MS, () => addRows(pick(dictated), bank, now)),
    repeat(stopping.signal, NEW_SYNC_EVERY_MS, () =>
      addSync(planned, owners, simulators, apis[0]?.url ?? ''),
    ),
    repeat(stopping.signal, SAMPLE_EVERY_MS, () =>
      memory.sample([processes[0]?.pid, processes[2]?.pid, processes[4]?.pid]),
    ),
  ];

  let unrecovered = 0;
  const faults = new Map<string, number[]>();
  const trouble = troubles({ cluster, processes, bank, simulators, dictated });
  for (let at = 0; performance.now() < end; at++) {
    await pause(Math.random() * QUIET_MS);
    const fault = trouble[at % trouble.length];
    if (fault === undefined) break;
    const struck = performance.now();
    const detail = await fault.strike();
    if (detail === NOT_WHOLE) unrecovered += 1;
    const ended = performance.now();
    const works = await within(RECOVERY_MS, () => probes.every((probe) => probe.worksSince(ended)));
    const seconds = Math.max(...probes.map((probe) => probe.longestGap(struck))) / 1_000;
    if (!works) unrecovered += 1;
    faults.set(fault.name, [...(faults.get(fault.name) ?? []), seconds]);
    onProgress(
      `${Math.round((performance.now() - started) / MINUTE_MS)} min: ${fault.name} ${detail}; ${seconds.toFixed(1)} s`,
    );
  }
  stopping.abort();
  await Promise.all(loads);
  for (const { control } of simulators.values()) control.clearFaults();
  bank.clearMisbehaviours();
  const memoryRemarks = memoryOf(processes, memory, Date.now() - minutes * MINUTE_MS * (1 - WARM_UP));

  onProgress('waiting for what is left');
  traffic.allow(Number.POSITIVE_INFINITY);
  const trafficDone = await traffic.done(SETTLE_MS);
  for (const probe of probes) await probe.stop();
  for (const one of reading) await one.stop();
  const recoveries = [...faults.values()].flat();
  const longest = Math.max(0, ...recoveries);
  const kills = recoveries.length;
  const events = await eventReport(owners, traffic, probes, {
    name: 'soak',
    kills,
    longest,
    trafficDone,
    started,
  });

  let stuck = unrecovered;
  for (const one of planned) if (!(await endsWell(one, SETTLE_MS))) stuck += 1;
  const arrived = arrivedRows(planned);
  const expected = planned.reduce((sum, { rows }) => sum + rows, 0);
  const copies: Report = {
    name: `soak: ${planned.length} first syncs to ${new Set(planned.map(({ type }) => type)).size} types`,
    seconds: (performance.now() - started) / 1_000,
    outcome: {
      faults: kills,
      lost: Math.max(0, expected - arrived.rows),
      doubled: arrived.duplicates + Math.max(0, arrived.rows - expected),
      stuck,
      errors: reading.reduce((sum, one) => sum + one.errors, 0),
      recoverySeconds: longest,
      remarks: [
        `${arrived.rows} of ${expected} rows`,
        ...[...faults].map(
          ([name, seconds]) => `${seconds.length} x ${name} (median ${median(seconds).toFixed(1)} s)`,
        ),
        ...memoryRemarks.texts,
      ],
    },
  };

  onProgress('comparing the accounts whose rows were dictated');
  const { duplicates, ...rest } = await settle(dictated, bank, clock);
  const report: Report = {
    name: `soak: ${dictated.reduce((sum, { rows }) => sum + rows.length, 0)} rows that came one after another`,
    seconds: (performance.now() - started) / 1_000,
    outcome: {
      faults: kills,
      lost: rest.missing,
      doubled: duplicates + rest.surplus,
      stuck: rest.stuck + memoryRemarks.growing,
      errors: 0,
      recoverySeconds: longest,
      remarks: [`equal ${rest.months} months later`, ...rest.remarks],
    },
  };
  return [report, copies, events];
}

/** The kinds of trouble, in the order in which they come again and again. `strike` ends with the trouble. */
function troubles(on: {
  readonly cluster: PostgresCluster;
  readonly processes: readonly ServiceChild[];
  readonly bank: AuBankingControl;
  readonly simulators: ReadonlyMap<string, Simulator>;
  readonly dictated: readonly Dictated[];
}): readonly { readonly name: string; readonly strike: () => Promise<string> }[] {
  const { cluster, processes, bank, simulators, dictated } = on;
  const killed = (name: string, at: number) => ({
    name: `${name} killed`,
    strike: async () => {
      await processes[at]?.kill();
      await pause(Math.random() * 3_000);
      processes[at]?.launch();
      await processes[at]?.ready();
      return '';
    },
  });
  const vendor = {
    name: 'vendor fails',
    strike: async () => {
      const kind = pick(VENDOR_FAULTS);
      bank.addFault({ route: 'GET *', kind, probability: 0.5 });
      await pause(TROUBLE_MS);
      bank.clearFaults();
      return kind;
    },
  };
  const destination = {
    name: 'destination fails',
    strike: async () => {
      const kind = pick(DESTINATION_FAULTS);
      const controls = [...simulators].flatMap(([name, { control }]) =>
        name === 'au_banking' ? [] : [control],
      );
      for (const control of controls) control.addFault({ route: '*', kind, probability: 0.3 });
      await pause(TROUBLE_MS);
      for (const control of controls) control.clearFaults();
      return kind;
    },
  };
  const misbehaves = {
    name: 'bank misbehaves',
    strike: async () => {
      const { account, owner, sync, rows } = pick(dictated);
      const misbehaviour = pick(MISBEHAVIOURS);
      bank.addMisbehaviour({ ...misbehaviour, account, count: rows.length - OPENING_ROWS });
      await runOf(owner, sync);
      await pause(TROUBLE_MS);
      bank.clearMisbehaviours();
      return misbehaviour.name;
    },
  };
  const slow = {
    name: 'receivers slow',
    strike: async () => {
      for (const { receiver } of dictated) receiver.delayMs = 500;
      await pause(TROUBLE_MS);
      for (const { receiver } of dictated) receiver.delayMs = 0;
      return '';
    },
  };
  const primary = {
    name: 'primary killed',
    strike: async () => {
      const name = await cluster.killPrimary();
      return (await cluster.whole(RECOVERY_MS)) ? name : NOT_WHOLE;
    },
  };
  const worker = killed('worker', 3);
  return [
    ...[primary, vendor, worker, misbehaves, destination, misbehaves],
    ...[primary, killed('API process', 1), vendor, misbehaves, worker, slow, misbehaves],
  ];
}

/** Dictates the account of an owner from now on, and copies it to a receiver that keeps contents. */
async function dictate(owner: Owner, bank: AuBankingControl, now: () => number): Promise<Dictated> {
  const account = bank.consents().findLast(({ active }) => active)?.accountIds[0];
  if (account === undefined) throw new Error('The customer shares no account.');
  const receiver = await RowReceiver.start();
  const rows: StatementRow[] = [];
  for (let at = 0; at < FIRST_ROWS; at++) rows.push(newRow(account, at, now));
  bank.setStatements([{ account, rows: [...rows] }]);
  const client = clientOf(owner);
  const destination = await client.destinations.create({
    type: 'webhook',
    name: 'Soak',
    target: { url: `${receiver.url}/deliveries` },
  });
  receiver.expect(destination.config?.signing_secret ?? '');
  const sync = await client.syncs.create({
    type: 'transactions',
    name: 'Soak',
    destination: destination.id,
    accounts: [owner.account],
    mapping_mode: 'bulk',
    options: { data_from: '1960-01-01', include_pending: true },
  });
  return { owner, account, sync: sync.id, receiver, rows };
}

/** The account has a past: in the first week of what a bank shows, no row counts as withdrawn. */
function newRow(account: string, at: number, now: () => number): StatementRow {
  const ago = at < OPENING_ROWS ? 260 : at < FIRST_ROWS ? 20 + (at % 180) : 1 + (at % 5);
  const day = addDays(localDateAt(now(), 'UTC'), -ago);
  return { id: `${account}-${at}`, day, amount: `-${at + 1}.00`, description: `row ${at}` };
}

async function addRows(one: Dictated, bank: AuBankingControl, now: () => number): Promise<void> {
  const { account, rows, owner, sync } = one;
  for (let more = 1 + Math.floor(Math.random() * 5); more > 0; more--)
    rows.push(newRow(account, rows.length, now));
  bank.setStatements([{ account, rows: [...rows] }]);
  await runOf(owner, sync);
}

/** A first sync of an account that is linked for it, to one type of destination after another. */
async function addSync(
  planned: Copied[],
  owners: readonly Owner[],
  simulators: ReadonlyMap<string, Simulator>,
  url: string,
): Promise<void> {
  const at = planned.length;
  const types = DESTINATION_TYPES.filter((type) => type !== 'webhook');
  const [owner, type] = [owners[at % owners.length], types[at % types.length]];
  if (owner === undefined || type === undefined) return;
  const rows = NEW_SYNC_ROWS + OWNERS + at;
  // What a fault interrupts is begun again, with a connection of its own.
  const account = await linkRows(clientOf(owner), rows, owner.receiver.url);
  const target = await makeTarget({ ...owner, account }, type, simulators, url);
  const sync = await writeUntilDone(clientOf(owner), '/v2/syncs', {
    type: 'transactions',
    name: `Soak ${at}`,
    destination: target.destination,
    accounts: [account],
    ...target.mappings,
    mapping_mode: 'bulk',
    options: { data_from: '1960-01-01', include_pending: true },
  });
  planned.push({ owner, type, target, rows, sync });
}

/** A first sync that a minute began. */
interface Copied extends Planned {
  readonly rows: number;
  readonly sync: string;
}

/** Waits for a run of the sync to succeed, and asks for one if the last did not. */
function endsWell({ owner, sync }: Copied, ms: number): Promise<boolean> {
  return succeeds(clientOf(owner), sync, ms);
}

/**
 * Runs every sync until its receiver shows what the bank shows. A row has to be missing for longer than a day before it
 * is taken away, so months may have to pass.
 */
async function settle(dictated: readonly Dictated[], bank: AuBankingControl, clock: ClockFile) {
  const duplicates = dictated.reduce((sum, { receiver }) => sum + receiver.duplicates, 0);
  const remarks: string[] = [];
  let stuck = 0;
  const left = (): readonly { missing: number; surplus: number }[] =>
    dictated.map(({ receiver, account }) => difference(bank, receiver, account));
  const sums = () => ({
    missing: left().reduce((sum, { missing }) => sum + missing, 0),
    surplus: left().reduce((sum, { surplus }) => sum + surplus, 0),
  });
  let months = 0;
  for (; months < 6; months++) {
    for (const { owner, sync } of dictated) {
      await runOf(owner, sync);
      const client = clientOf(owner);
      if (!(await succeeds(client, sync, RECOVERY_MS))) stuck += 1;
      const { attention } = await client.syncs.get({ id: sync });
      if (attention?.code !== 'data_invalid') continue;
      // Too many rows are missing to be believed: the owner is asked, and confirms it.
      await ask(client, 'POST', `/v2/syncs/${sync}/resync`, { confirm: true });
      if (!(await succeeds(client, sync, RECOVERY_MS))) stuck += 1;
    }
    const { missing, surplus } = sums();
    if (missing + surplus === 0) break;
    remarks.push(`${missing} missing and ${surplus} surplus after ${months} months`);
    for (const { receiver } of dictated) receiver.aheadMs = clock.aheadMs + MONTH_DAYS * DAY_MS;
    await clock.set(clock.aheadMs + MONTH_DAYS * DAY_MS);
  }
  return { duplicates, stuck, months, remarks, ...sums() };
}

function memoryOf(processes: readonly ServiceChild[], memory: LiveMemory, from: number) {
  const texts: string[] = [];
  let growing = 0;
  for (const [name, at] of [
    ['API', 0],
    ['worker', 2],
    ['scheduler', 4],
  ] as const) {
    for (const kind of MEMORY_KINDS) {
      const trend = memory.trend(processes[at]?.pid, kind, from);
      if (trend === null) continue;
      const { quarters, perHour, samples } = trend;
      const grows = kind === 'live' && samples >= ENOUGH_SAMPLES && perHour > MOST_MIB_PER_HOUR;
      if (grows) growing += 1;
      texts.push(
        `${name} ${kind} ${quarters.map((mib) => mib.toFixed(1)).join(', ')} MiB, ${perHour.toFixed(2)} MiB an hour (${samples} samples${grows ? ', too much: counted as stuck' : ''})`,
      );
    }
  }
  return { texts, growing };
}

async function runOf(owner: Owner, sync: string): Promise<void> {
  await ask(pick<Tributary>(owner.clients), 'POST', `/v2/syncs/${sync}/run`);
}

/** Does something again and again until the signal; what a fault interrupts is left for the next time. */
async function repeat(signal: AbortSignal, everyMs: number, act: () => unknown): Promise<void> {
  while (!signal.aborted) {
    try {
      await act();
    } catch {
      // The load is made through the faults.
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function pick<T>(from: readonly T[]): T {
  const one = from[Math.floor(Math.random() * from.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
}
