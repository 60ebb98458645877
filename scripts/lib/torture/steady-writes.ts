import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Tributary } from '#client';
import { clientOf, type Owner } from './cluster-service.ts';

const AGAIN_MS = 200;
/** Longer than a write waits for a database that does not answer. */
const ANSWER_MS = 15_000;

/** Rotates API keys, each of which records an event, and repeats a write with its idempotency key until it succeeds. */
export class Traffic {
  readonly statuses = new Map<number, number>();
  /** Codes of answers that were not 2xx. */
  readonly codes = new Set<string>();
  readonly #each: number;
  readonly #owners: number;
  readonly #working: Promise<boolean>;
  #allowed = 0;

  constructor(owners: readonly Owner[], events: number) {
    this.#each = Math.ceil(events / owners.length);
    this.#owners = owners.length;
    this.#working = Promise.all(owners.map((owner) => this.#rotate(owner))).then(
      () => true,
      () => false,
    );
  }

  /** How many events there may be from now on. */
  allow(events: number): void {
    this.#allowed = Math.ceil(events / this.#owners);
  }

  /** Whether all were made in time. */
  done(ms: number): Promise<boolean> {
    return Promise.race([this.#working, pause(ms, false, { ref: false })]);
  }

  async #rotate(owner: Owner): Promise<void> {
    let key = await this.#write(owner, '/v2/api_keys', { name: 'short', scopes: ['data:read'] });
    while (owner.rotated.length < this.#each) {
      if (owner.rotated.length >= this.#allowed) {
        await pause(AGAIN_MS);
        continue;
      }
      const next = await this.#write(owner, `/v2/api_keys/${key}/rotate`, { grace: '0' });
      owner.rotated.push(key);
      key = next;
    }
  }

  /** The id in the answer. Each attempt goes to the next process of the API. */
  async #write(owner: Owner, path: string, body: object): Promise<string> {
    const idempotencyKey = crypto.randomUUID();
    for (let attempt = 0; ; attempt++) {
      const client = owner.clients[attempt % owner.clients.length] ?? clientOf(owner);
      const answer = await write(client, path, body, idempotencyKey);
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      if (answer.id !== null) return answer.id;
      if (answer.code !== null) this.codes.add(answer.code);
      await pause(AGAIN_MS);
    }
  }
}

/** Writes to one process of the API all the time, and remembers when it succeeded. */
export class Probe {
  readonly statuses = new Map<number, number>();
  readonly #successes: number[] = [];
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  constructor(client: Tributary, path: string, everyMs: number) {
    this.#done = this.#ask(client, path, everyMs);
  }

  worksSince(moment: number): boolean {
    return (this.#successes.at(-1) ?? 0) >= moment;
  }

  /** The longest time between two successes of which the later one was after `moment`, in milliseconds. */
  longestGap(moment: number): number {
    const gaps = this.#successes.map((at, index) =>
      at < moment ? 0 : at - Math.max(moment, this.#successes[index - 1] ?? at),
    );
    return Math.max(0, ...gaps);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #ask(client: Tributary, path: string, everyMs: number): Promise<void> {
    for (let name = 1; !this.#stopping.signal.aborted; name++) {
      const { status } = await write(client, path, { name: `Probe ${name}` }, crypto.randomUUID());
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status > 0 && status < 300) this.#successes.push(performance.now());
      await pause(everyMs);
    }
  }
}

/** Repeats a write with one idempotency key, so that it is done once, until it succeeds; the id in the answer. */
export async function writeUntilDone(client: Tributary, path: string, body: object): Promise<string> {
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    const { id } = await write(client, path, body, idempotencyKey);
    if (id !== null) return id;
    await pause(AGAIN_MS);
  }
}

interface Written {
  /** 0 if none came. */
  readonly status: number;
  /** The id in the answer, if it is a success. */
  readonly id: string | null;
  /** The code of the error. */
  readonly code: string | null;
}

const Success = Type.Object({ id: Type.String() });
const Refusal = Type.Object({ error: Type.Object({ code: Type.String() }) });

async function write(
  client: Tributary,
  path: string,
  body: object,
  idempotencyKey: string,
): Promise<Written> {
  try {
    const exchange = {
      method: 'POST',
      path,
      body: JSON.stringify(body),
      idempotencyKey,
      timeoutMs: ANSWER_MS,
    };
    const response = await client.exchange(exchange);
    const answer: unknown = await response.json();
    return {
      status: response.status,
      id: response.ok && Value.Check(Success, answer) ? answer.id : null,
      code: Value.Check(Refusal, answer) ? answer.error.code : null,
    };
  } catch {
    return { status: 0, id: null, code: null };
  }
}
