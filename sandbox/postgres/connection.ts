import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultSpec, Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { Cluster, Turn } from './cluster.ts';
import {
  askPassword,
  CANCEL_REQUEST,
  codeOf,
  failure,
  isIdle,
  type Message,
  MessageReader,
  SSL_REQUEST,
  signedIn,
  statementIn,
  textIn,
} from './wire.ts';

export interface ConnectionParts {
  readonly cluster: Cluster;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly now: () => number;
  readonly password: () => string;
  /** Ends waiting faults when the simulator closes. */
  readonly closing: AbortSignal;
}

/** Statements that change nothing that a page shows. */
const READS = /^\s*(?:begin|savepoint|release|rollback|select)\b/i;

/** One client: signing in, then its statements, one request after the other. */
export class Connection {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  readonly #reader = new MessageReader();
  readonly #waiting: Message[] = [];
  #isWorking = false;
  #isSignedIn = false;
  #turn: Turn | null = null;
  #hasWritten = false;
  /** Messages of the incomplete request. */
  #request: Buffer[] = [];
  #statement = '';

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    socket.on('data', (chunk) => {
      this.#waiting.push(...this.#reader.read(chunk));
      void this.#work();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => void this.#leave());
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        await this.#handle(next);
    } catch {
      this.#socket.destroy();
    } finally {
      this.#isWorking = false;
      if (this.#socket.destroyed) await this.#leave();
    }
  }

  /** If a client disconnects during a transaction, it is rolled back. */
  async #leave(): Promise<void> {
    if (this.#isWorking) return;
    const turn = this.#turn;
    this.#turn = null;
    if (turn === null) return;
    await turn.send(simpleQuery('rollback')).catch(() => undefined);
    await turn.end(false);
  }

  async #handle({ type, bytes }: Message): Promise<void> {
    if (type === '') return this.#begin(bytes);
    if (type === 'p' && !this.#isSignedIn) return this.#signIn(textIn(bytes));
    if (type === 'X' || !this.#isSignedIn) {
      this.#socket.end();
      return;
    }
    this.#request.push(bytes);
    if (type === 'P') this.#statement = statementIn(bytes);
    if (type === 'Q') this.#statement = textIn(bytes);
    if (type === 'Q' || type === 'S') await this.#answer();
  }

  #begin(bytes: Buffer): void {
    const code = codeOf(bytes);
    if (code === SSL_REQUEST) this.#socket.write('N');
    else if (code === CANCEL_REQUEST) this.#socket.end();
    else this.#socket.write(askPassword());
  }

  async #signIn(password: string): Promise<void> {
    const faults = await this.#before('/startup');
    if (faults === null) return;
    const expired = faults.some(({ kind }) => kind === 'expired-token');
    if (expired || password !== this.#parts.password()) {
      this.#note('/startup', 401);
      this.#socket.end(failure('28P01', 'password authentication failed'));
      return;
    }
    this.#isSignedIn = true;
    this.#reply('/startup', signedIn(), faults);
  }

  async #answer(): Promise<void> {
    const request = Buffer.concat(this.#request);
    this.#request = [];
    const path = `/${/^\s*([a-z]+)/i.exec(this.#statement)?.[1]?.toLowerCase() ?? 'query'}`;
    const faults = await this.#before(path);
    if (faults === null) return;
    const { cluster } = this.#parts;
    this.#turn ??= await cluster.turn();
    const turn = this.#turn;
    this.#hasWritten ||= !READS.test(this.#statement);
    const refusal = refusalOf(faults);
    const answer = Buffer.from(await turn.send(refusal ?? request));
    if (isIdle(answer)) {
      this.#turn = null;
      await turn.end(this.#hasWritten);
      this.#hasWritten = false;
    }
    this.#reply(path, answer, faults);
  }

  /** Null if no answer will ever be sent. */
  async #before(path: string): Promise<readonly FaultSpec[] | null> {
    const { faults, closing } = this.#parts;
    const hits = faults.take('QUERY', path);
    for (const { kind, latencyMs = 1000 } of hits) {
      if (kind === 'latency') await sleep(latencyMs, undefined, { signal: closing }).catch(() => undefined);
      if (kind !== 'hang' && kind !== 'connection-reset') continue;
      this.#note(path, null);
      if (kind === 'connection-reset') this.#socket.resetAndDestroy();
      return null;
    }
    return hits;
  }

  #reply(path: string, answer: Buffer, faults: readonly FaultSpec[]): void {
    const isDropped = faults.some(({ kind }) => kind === 'drop-answer');
    this.#note(path, isDropped ? null : 200);
    if (isDropped) this.#socket.resetAndDestroy();
    else if (this.#socket.destroyed) return;
    else if (faults.some(({ kind }) => kind === 'truncated-body'))
      this.#socket.write(answer.subarray(0, answer.length / 2), () => this.#socket.destroy());
    else this.#socket.write(answer);
  }

  #note(path: string, status: number | null): void {
    this.#parts.log.add({ at: this.#parts.now(), method: 'QUERY', path, status });
  }
}

/** A request, sent instead of the client's, that the server refuses with the state of the fault. */
function refusalOf(faults: readonly FaultSpec[]): Buffer | null {
  for (const { kind } of faults) {
    const state = { 'server-error': '53100', unavailable: '57P03', 'rate-limit': '53300', refusal: '42501' }[
      String(kind)
    ];
    if (state === undefined) continue;
    return simpleQuery(`do $$ begin raise exception 'refused' using errcode = '${state}'; end $$`);
  }
  return null;
}

function simpleQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q', 'latin1');
  head.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}
