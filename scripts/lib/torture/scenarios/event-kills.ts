import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Tributary } from '#client';
import { EventReceiver } from '../../../../test/features/event-destinations/support/event-receiver.ts';
import { createServerDatabase } from '../../../../test/support/database.ts';
import { seeded } from '../../numbers.ts';
import { ClockFile } from '../clock-file.ts';
import type { Outcome, Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { within } from '../watch.ts';

/** Longer than a killed worker's lease on an event destination. */
const LEASE_OVER_MS = 3 * 60_000;
const ARRIVE_MS = 120_000;
const EVENTS_PER_KILL = 20;
const LONGEST_LIFE_MS = 3_000;
const MOST_DELIVERIES = 8;

/** SIGKILL at random moments while events are recorded, fanned out and delivered. */
export const eventKillsOnEmbedded: Scenario = {
  name: 'killed while delivering events, embedded',
  missing: () => null,
  run: (_machine, scale) => eventKills(Math.ceil(8 * scale), null),
};

/** The same, of two processes in turn, while the other works on. */
export const eventKillsOnPostgres: Scenario = {
  name: 'killed while delivering events, two processes on Postgres',
  missing: ({ postgresUrl }) => (postgresUrl === null ? 'DATABASE_URL is not set' : null),
  run: async (_machine, scale) => {
    const database = await createServerDatabase();
    try {
      return await eventKills(Math.ceil(8 * scale), database?.url ?? null);
    } finally {
      await database?.drop();
    }
  },
};

async function eventKills(kills: number, databaseUrl: string | null): Promise<Outcome> {
  const seed = Math.floor(Math.random() * 1e9);
  const random = seeded(seed);
  const directory = await mkdtemp(join(tmpdir(), 'tributary-events-'));
  const clock = new ClockFile(join(directory, 'ahead'));
  const stage = await Stage.open({
    databaseUrl,
    env: { ...clock.env, LIMIT_API_KEYS: '10000' },
    nodeOptions: clock.nodeOptions,
  });
  const receivers = [await EventReceiver.open(), await EventReceiver.open()] as const;
  const processes = [stage.service];
  const clients: Tributary[] = [];
  try {
    const { id: account } = await stage.service.command('account create', { email: 'events@example.com' });
    const key = await stage.service.command('key create', { account, name: 'k', scopes: 'all' });
    if (databaseUrl !== null) processes.push(await stage.secondProcess());
    for (const { url } of processes)
      clients.push(new Tributary({ url, apiKey: String(key.secret), retries: 0 }));
    const [owner = unreachable()] = clients;
    await subscribe(owner, receivers[0], '*');
    await subscribe(owner, receivers[1], 'api_key.*');

    const rotated: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const victim = processes[kill % processes.length] ?? unreachable();
      const making = clients.map((client) => rotate(client, rotated));
      await lifeOf(receivers[kill % 2] ?? receivers[0], random);
      await victim.kill();
      await Promise.all(making);
      victim.launch();
      await victim.ready();
    }
    const committed = new Map<string, string>();
    for await (const event of owner.events.list({ limit: 100 }))
      committed.set(event.id, event.related_object.id);
    // What was in the hands of a killed process is free once its lease is over.
    await clock.set(LEASE_OVER_MS);
    const started = performance.now();
    const arrived = await within(ARRIVE_MS, () => receivers.every(({ ids }) => holdsAll(ids, committed)));
    const subjects = new Set(committed.values());
    const unrecorded = rotated.filter((id) => !subjects.has(id)).length;
    const missing = receivers.map(
      ({ ids }) => [...committed.keys()].filter((id) => !ids.includes(id)).length,
    );
    const invented = receivers.map(({ ids }) => ids.filter((id) => !committed.has(id)).length);
    const faults = receivers.flatMap((receiver) => receiver.faults);
    return {
      faults: kills,
      lost: unrecorded + sum(missing),
      doubled: sum(invented) + faults.length,
      stuck: arrived && rotated.length >= kills ? 0 : 1,
      errors: 0,
      recoverySeconds: (performance.now() - started) / 1000,
      remarks: [`seed ${seed}`, `${committed.size} events`, ...faults.slice(0, 3)],
    };
  } finally {
    for (const one of processes) await one.kill();
    for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
    await stage.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function subscribe(
  owner: Tributary,
  receiver: EventReceiver,
  selector: '*' | 'api_key.*',
): Promise<void> {
  const made = await owner.eventDestinations.create({
    name: selector,
    webhook_endpoint: { url: receiver.url },
    enabled_events: [selector],
  });
  receiver.secrets = [made.webhook_endpoint.signing_secret ?? ''];
}

/** Makes events one after another until the process dies. `rotated` receives the keys of those that were acknowledged. */
async function rotate(client: Tributary, rotated: string[]): Promise<void> {
  try {
    for (let event = 0; event < EVENTS_PER_KILL; event++) {
      const key = await client.apiKeys.create({ name: 'short', scopes: ['data:read'] });
      await client.apiKeys.rotate({ id: key.id });
      rotated.push(key.id);
    }
  } catch {
    // The process that was to answer has been killed.
  }
}

/** Waits for a random moment, or for a few deliveries of which the last is just being answered. */
async function lifeOf(receiver: EventReceiver, random: () => number): Promise<void> {
  const moment = random() * LONGEST_LIFE_MS;
  if (random() < 0.5) {
    await pause(moment);
    return;
  }
  const wanted = receiver.bodies.length + 1 + Math.floor(random() * MOST_DELIVERIES);
  await within(LONGEST_LIFE_MS, () => receiver.bodies.length >= wanted, 1);
}

const holdsAll = (ids: readonly string[], wanted: ReadonlyMap<string, string>): boolean => {
  const held = new Set(ids);
  return [...wanted.keys()].every((id) => held.has(id));
};
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function unreachable(): never {
  throw new TypeError('There is at least one process.');
}
