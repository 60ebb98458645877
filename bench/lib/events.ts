import { request } from 'undici';
import { type BenchChild, startChild } from './child.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const HEALTHY = 40;
const BAD = { hang: 20, fail: 20, redirect: 10, reset: 10 } as const;
const OWNERS = 4;
const EVENTS = 1000;
/** How the service sends to one event destination. */
const AT_ONCE = 8;

interface Burst {
  readonly p95: number;
  readonly milliseconds: number;
  /** Milliseconds of the sending process, in all its threads. */
  readonly processor: number;
}

/**
 * A burst of 1,000 events to 40 receivers: with and without 60 more that hang, fail, redirect or reset, and compared
 * with a loop that signs and posts the same over connections of the same kind.
 */
export async function compareEvents(rounds: number): Promise<Ratio[]> {
  const [latency, burstSpeed, speed, effort]: [Round[], Round[], Round[], Round[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const alone = await burst({});
    const beside = await burst(BAD);
    const plain = await plainBurst();
    const waiting = await burst({}, true);
    latency.push({ ours: beside.p95, reference: alone.p95 });
    const perSecond = (milliseconds: number): number => (HEALTHY * EVENTS * 1000) / milliseconds;
    burstSpeed.push({ ours: perSecond(alone.milliseconds), reference: perSecond(plain.milliseconds) });
    speed.push({ ours: perSecond(waiting.milliseconds), reference: perSecond(plain.milliseconds) });
    effort.push({ ours: perSecond(waiting.processor), reference: perSecond(plain.processor) });
  }
  const burstOf = `${EVENTS} events to ${HEALTHY} receivers`;
  return [
    ratiosOf(`p95 of ${burstOf}, beside 60 bad ones`, 'ms', 'without the bad ones', latency),
    ratiosOf(`${burstOf}, with the changes`, 'deliveries/s', 'a loop that signs and posts', burstSpeed),
    ratiosOf(`${burstOf}, when the changes are made`, 'deliveries/s', 'a loop that signs and posts', speed),
    ratiosOf(
      `${burstOf}, when the changes are made, by processor time of the sender`,
      'deliveries/s',
      'a loop that signs and posts',
      effort,
    ),
  ];
}

async function burst(bad: Readonly<Record<string, number>>, waiting = false): Promise<Burst> {
  return withReceivers(bad, async ({ urls, control }) => {
    const worker = startChild(
      'event-worker.ts',
      { urls, control, events: EVENTS, owners: OWNERS, healthy: HEALTHY, waiting },
      ['--max-semi-space-size=8'],
    );
    try {
      const { p95, milliseconds, processor, arrived } = await worker.next();
      if (arrived !== HEALTHY * EVENTS) throw new Error(`${String(arrived)} deliveries arrived.`);
      return { p95: Number(p95), milliseconds: Number(milliseconds), processor: Number(processor) };
    } finally {
      await worker.kill();
    }
  });
}

function plainBurst(): Promise<Omit<Burst, 'p95'>> {
  return withReceivers({}, async ({ urls, control }) => {
    const loop: BenchChild = startChild('plain-events.ts', { urls, events: EVENTS, atOnce: AT_ONCE });
    try {
      const { milliseconds, processor } = await loop.next();
      const answer = await (await request(String(control))).body.text();
      if (!answer.includes(`"arrived":${HEALTHY * EVENTS},`)) throw new Error(`Arrived: ${answer}`);
      return { milliseconds: Number(milliseconds), processor: Number(processor) };
    } finally {
      await loop.kill();
    }
  });
}

async function withReceivers<T>(
  bad: Readonly<Record<string, number>>,
  work: (place: Readonly<Record<string, unknown>>) => Promise<T>,
): Promise<T> {
  const count: Readonly<Record<string, number>> = { healthy: HEALTHY, ...bad };
  // Alternating, so that each account record has its share of every kind.
  const kinds = Object.entries(count).flatMap(([kind, many]) => Array.from({ length: many }, () => kind));
  const receivers = startChild('event-receivers.ts', { kinds });
  try {
    return await work(await receivers.next());
  } finally {
    await receivers.kill();
  }
}
