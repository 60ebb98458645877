import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Tributary } from '#client';
import type { Scenario } from '../outcome.ts';
import { Stage } from '../stage.ts';
import { ask, runsAgain, succeeds, within } from '../watch.ts';

/** What a hostile or broken bank answers in place of an account's transactions. */
const HOSTILITIES: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  'an answer of 64 MB': (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const block = `"${'x'.repeat(65_534)}",`;
    response.write('{"transactions":[');
    let left = 1000;
    const more = (): void => {
      while (left-- > 0) if (!response.write(block)) return void response.once('drain', more);
      response.end('""]}');
    };
    response.on('error', () => undefined);
    more();
  },
  'JSON seven million levels deep': (_request, response) => {
    response.writeHead(200, JSON_TYPE).end('['.repeat(7_000_000) + ']'.repeat(7_000_000));
  },
  'pages without an end': (incoming, response) => {
    const next = `http://${incoming.headers.host}/v1/banking/transactions?page%5Bafter%5D=${Math.random()}`;
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ transactions: [], links: { next } }));
  },
  'a byte every second': (_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const timer = setInterval(() => response.write(' '), 1000);
    response.on('close', () => clearInterval(timer));
  },
  'a hundred thousand rows on a page': (_request, response) => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ fiskil_id: `bank_tx_${at}`, amount: '1.00' }));
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ transactions: rows, links: {} }));
  },
};
const JSON_TYPE = { 'content-type': 'application/json' };
/** How long others may have to wait for a response, and how much memory an attack may cost. */
const LONGEST_WAIT_MS = 3_000;

/** A bank that sends malicious responses for one owner's account, while another owner's bank works. */
export const hostileBanks: Scenario = {
  name: 'five hostile banks',
  missing: () => null,
  run: async (_machine, scale) => {
    const bank = new HostileBank();
    const stage = await Stage.open({ bankUrl: (simulator) => bank.start(simulator) });
    try {
      const [victim, neighbour] = [await stage.owner(), await stage.owner()];
      const receivers = [await stage.receiver(), await stage.receiver()] as const;
      const victims = await stage.link(victim, 'rows:300');
      bank.account = stage.lastLinked()[0] ?? '';
      const others = await stage.link(neighbour, 'rows:301');
      const hostilities = Object.entries(HOSTILITIES).slice(0, Math.ceil(5 * scale));
      const remarks: string[] = [];
      let stuck = 0;
      bank.answer = hostilities[0]?.[1] ?? null;
      const syncs = [
        await stage.sync(victim, victims, receivers[0]),
        await stage.sync(neighbour, others, receivers[1]),
      ] as const;
      let errors = 0;
      for (const [name, answer] of hostilities) {
        bank.answer = answer;
        await ask(victim, 'POST', `/v2/syncs/${syncs[0]}/run`);
        const calm = await staysCalm(stage, neighbour, victims, victim);
        errors += calm.errors;
        if (calm.longestMs > LONGEST_WAIT_MS) {
          stuck += 1;
          remarks.push(`${name}: another owner waited ${Math.round(calm.longestMs)} ms`);
        }
        if (!(await runsAgain(neighbour, syncs[1], 30_000))) {
          stuck += 1;
          remarks.push(`${name}: the neighbour's sync did not run`);
        }
      }
      bank.answer = null;
      const started = performance.now();
      const done = await succeeds(victim, syncs[0]);
      const recoverySeconds = (performance.now() - started) / 1000;
      return {
        faults: hostilities.length,
        lost: 601 - receivers[0].rows.size - receivers[1].rows.size,
        doubled: receivers[0].duplicates + receivers[1].duplicates,
        stuck: stuck + (done ? 0 : 1),
        errors,
        recoverySeconds,
        remarks,
      };
    } finally {
      await stage.close();
      await bank.close();
    }
  },
};

/** Reads the hostile account, and measures meanwhile how long the health check takes. */
async function staysCalm(
  stage: Stage,
  neighbour: Tributary,
  accounts: readonly string[],
  victim: Tributary,
): Promise<{ longestMs: number; errors: number }> {
  let reading = true;
  let errors = 0;
  const read = Promise.all(
    [1, 2, 3].map(async () => {
      const status = await ask(victim, 'GET', `/v2/transactions?account=${accounts[0]}`);
      if (status === 500) errors += 1;
    }),
  ).finally(() => {
    reading = false;
  });
  let longestMs = 0;
  await within(20_000, async () => {
    const started = performance.now();
    await request(`${stage.service.url}/healthz`)
      .then(({ body }) => body.dump())
      .catch(() => undefined);
    if ((await ask(neighbour, 'GET', '/v2/me')) === 500) errors += 1;
    longestMs = Math.max(longestMs, performance.now() - started);
    return !reading;
  });
  await Promise.race([read, sleep(40_000, undefined, { ref: false })]);
  return { longestMs, errors };
}

/** A proxy between the service and the simulated bank that answers for one account with whatever it is given. */
class HostileBank {
  /** The vendor's id of the account that is answered with malice. */
  account = '';
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | null = null;
  readonly #server = createServer((incoming, response) => {
    this.#pass(incoming, response).catch(() => response.destroy());
  });
  #simulator = '';

  async start(simulator: string): Promise<string> {
    this.#simulator = simulator;
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The bank has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method = 'GET' } = incoming;
    const endless = url.includes('page%5Bafter%5D=0.');
    if (
      this.answer !== null &&
      url.startsWith('/v1/banking/transactions') &&
      (endless || url.includes(encodeURIComponent(this.account)))
    ) {
      this.answer(incoming, response);
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of incoming) if (Buffer.isBuffer(part)) parts.push(part);
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        typeof value === 'string' &&
        !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name)
          ? [[name, value]]
          : [],
      ),
    );
    const body = Buffer.concat(parts);
    const answer = await request(`${this.#simulator}${url}`, {
      method: method === 'POST' ? 'POST' : method === 'DELETE' ? 'DELETE' : 'GET',
      headers,
      body: body.length === 0 ? null : body,
    });
    const kept = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ||
      ['connection', 'keep-alive', 'transfer-encoding', 'content-length'].includes(name)
        ? []
        : [[name, value] as const],
    );
    response.writeHead(answer.statusCode, Object.fromEntries(kept));
    response.end(Buffer.from(await answer.body.arrayBuffer()));
  }
}
