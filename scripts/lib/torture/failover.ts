import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DESTINATION_TYPES } from '../../../src/vocabulary/destination-kinds.ts';
import { median } from '../numbers.ts';
import {
  arrivedRows,
  clientOf,
  makeOwner,
  makeTarget,
  type Owner,
  type Planned,
  runsOf,
  startProcesses,
  startSimulators,
  statusOf,
} from './cluster-service.ts';
import type { Report } from './outcome.ts';
import type { PostgresCluster } from './postgres-cluster.ts';
import { Probe, Traffic } from './steady-writes.ts';
import { within } from './watch.ts';

const PROBE_EVERY_MS = 100;
const LONGEST_LIFE_MS = 3_000;
const RECOVERY_MS = 90_000;
const SETTLE_MS = 10 * 60_000;
/** Longer than the lease of an event destination. */
const EVENTS_MS = 3 * 60_000;
/** How soon a write must succeed after the primary was killed. */
const RECOVER_WITHIN_S = 30;

export interface FailoverOptions {
  readonly kills: number;
  readonly syncs: number;
  readonly events: number;
  /** At the bank, of each sync. */
  readonly rows: number;
  readonly onProgress: (text: string) => void;
}

/**
 * Kills the primary of a Postgres cluster again and again while syncs run and events are recorded and delivered, then
 * counts what arrived. Two reports: the rows, and the events.
 */
export async function failover(
  cluster: PostgresCluster,
  options: FailoverOptions,
): Promise<readonly Report[]> {
  const { kills, syncs, events, rows, onProgress } = options;
  const started = performance.now();
  await using opened = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'tributary-failover-'));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const simulators = await startSimulators(directory);
  opened.defer(async () => void (await Promise.all([...simulators.values()].map((one) => one.close()))));
  const processes = await startProcesses(cluster.url, directory, simulators);
  opened.defer(async () => void (await Promise.all(processes.map((one) => one.stop()))));
  const apis = processes.slice(0, 2);

  const owners: Owner[] = [];
  const planned: Planned[] = [];
  const types = DESTINATION_TYPES;
  for (let at = 0; at < Math.ceil(syncs / types.length); at++) {
    onProgress(`preparing account record ${at + 1}`);
    const owner = await makeOwner(processes, apis, at, rows + at);
    opened.defer(() => owner.receiver.close());
    opened.defer(() => owner.events[Symbol.asyncDispose]());
    owners.push(owner);
    for (const type of types.slice(0, syncs - at * types.length)) {
      onProgress(`preparing account record ${at + 1}: ${type}`);
      planned.push({ owner, type, target: await makeTarget(owner, type, simulators, apis[0]?.url ?? '') });
    }
  }

  const made: { readonly owner: Owner; readonly sync: string }[] = [];
  const traffic = new Traffic(owners, events);
  const [prober] = owners;
  if (prober === undefined) throw new Error('There is at least one sync.');
  const probes = prober.clients.map(
    (client) => new Probe(client, `/v2/event_destinations/${prober.eventDestination}`, PROBE_EVERY_MS),
  );
  const recoveries: number[] = [];
  let unwhole = 0;
  for (let kill = 1; kill <= kills; kill++) {
    traffic.allow(Math.ceil((events * kill) / kills));
    for (const { owner, target } of planned.slice(made.length, Math.ceil((syncs * kill) / kills))) {
      const sync = await clientOf(owner).syncs.create({
        type: 'transactions',
        name: 'Failover',
        destination: target.destination,
        accounts: [owner.account],
        ...target.mappings,
        mapping_mode: 'bulk',
        options: { data_from: '1960-01-01', include_pending: true },
      });
      made.push({ owner, sync: sync.id });
    }
    await pause(Math.random() * LONGEST_LIFE_MS);
    const name = await cluster.killPrimary();
    const killed = performance.now();
    if (!(await cluster.whole(RECOVERY_MS))) unwhole += 1;
    await within(RECOVERY_MS, () => probes.every((probe) => probe.worksSince(performance.now() - 1_000)));
    const seconds = Math.max(...probes.map((probe) => probe.longestGap(killed))) / 1000;
    recoveries.push(seconds);
    onProgress(`kill ${kill} of ${kills}: ${name}; first write after ${seconds.toFixed(1)} s`);
  }

  onProgress('waiting for what is left');
  const settled = await within(
    SETTLE_MS,
    async () => {
      const statuses = await Promise.all(made.map(({ owner, sync }) => statusOf(owner, sync)));
      return statuses.every((status) => status !== 'queued' && status !== 'running');
    },
    1_000,
  );
  const trafficDone = await traffic.done(SETTLE_MS);
  for (const probe of probes) await probe.stop();
  const runs = await Promise.all(made.map(({ owner, sync }) => runsOf(owner, sync)));
  const unfinished = runs.flat().filter(({ status }) => status !== 'succeeded');
  const rejected = runs.flat().reduce((sum, { counts }) => sum + counts.rejected, 0);
  const counted = runs.flat().reduce((sum, { counts }) => sum + counts.added, 0);
  const atBank = planned.reduce((sum, { owner }) => sum + rows + owners.indexOf(owner), 0);
  const arrived = arrivedRows(planned);
  const slow = recoveries.filter((seconds) => seconds > RECOVER_WITHIN_S).length;
  const longest = Math.max(0, ...recoveries);
  const times = `recovered after ${recoveries.map((seconds) => seconds.toFixed(1)).join(', ')} s (median ${median(recoveries).toFixed(1)})`;
  const rowsReport: Report = {
    name: `primary killed, ${syncs} syncs of ${types.length} types`,
    seconds: (performance.now() - started) / 1000,
    outcome: {
      faults: kills,
      lost: atBank - arrived.rows - rejected,
      doubled: arrived.duplicates + Math.abs(counted + rejected - atBank),
      stuck: unfinished.length + (settled ? 0 : 1) + slow + unwhole,
      errors: 0,
      recoverySeconds: longest,
      remarks: [
        `${arrived.rows} of ${atBank} rows`,
        `${rejected} rejected`,
        ...unfinished.slice(0, 3).map(({ status, failure }) => `a run ended as ${status}: ${failure?.code}`),
        times,
      ],
    },
  };
  onProgress('counting events');
  return [
    rowsReport,
    await eventReport(owners, traffic, probes, {
      name: 'primary killed',
      kills,
      longest,
      trafficDone,
      started,
    }),
  ];
}

export async function eventReport(
  owners: readonly Owner[],
  traffic: Traffic,
  probes: readonly Probe[],
  during: { name: string; kills: number; longest: number; trafficDone: boolean; started: number },
): Promise<Report> {
  let [recorded, lost, doubled] = [0, 0, 0];
  const faults: string[] = [];
  let isStuck = !during.trafficDone;
  for (const owner of owners) {
    const subjects = new Map<string, number>();
    const committed = new Set<string>();
    for await (const event of clientOf(owner).events.list({ limit: 100 })) {
      committed.add(event.id);
      if (event.type === 'api_key.expiring')
        subjects.set(event.related_object.id, (subjects.get(event.related_object.id) ?? 0) + 1);
    }
    const arrivedAll = await within(EVENTS_MS, () => committed.isSubsetOf(new Set(owner.events.ids)), 500);
    isStuck ||= !arrivedAll;
    const ids = new Set(owner.events.ids);
    recorded += committed.size;
    lost += owner.rotated.filter((id) => !subjects.has(id)).length + committed.difference(ids).size;
    doubled += [...subjects.values()].filter((count) => count > 1).length + ids.difference(committed).size;
    // A write is repeated with its idempotency key, so each was done exactly once.
    doubled += subjects.size - new Set(owner.rotated).size;
    faults.push(...owner.events.faults);
  }
  const statuses = [traffic.statuses, ...probes.map((probe) => probe.statuses)];
  const count = (status: number): number => statuses.reduce((sum, one) => sum + (one.get(status) ?? 0), 0);
  const other = [...new Set(statuses.flatMap((one) => [...one.keys()]))].toSorted((a, b) => a - b);
  return {
    name: `${during.name}: ${recorded} events`,
    seconds: (performance.now() - during.started) / 1000,
    outcome: {
      faults: during.kills,
      lost,
      doubled: doubled + faults.length,
      stuck: isStuck ? 1 : 0,
      errors: count(500),
      recoverySeconds: during.longest,
      remarks: [
        other.map((status) => `${count(status)} x ${status === 0 ? 'no answer' : status}`).join(', '),
        ...new Set(traffic.codes),
        ...faults.slice(0, 3),
      ],
    },
  };
}
