import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../http/html.ts';
import { type HealthOptions, remembered } from '../http/monitoring.ts';
import { sendPage } from '../http/page.ts';
import { STATUS } from '../text/home.ts';

/** The page is open to everyone, so the database is queried at most this often. */
const FRESH_MS = 5_000;
const RETRY_SECONDS = '60';

interface ShownProvider {
  readonly name: string;
  /** False while it is known to be unreachable as a whole. */
  readonly connects: boolean;
}

interface StatusOptions extends HealthOptions {
  /** Those that everyone may know of, by the names that people know. */
  readonly providers: () => readonly ShownProvider[];
}

type State = keyof typeof STATUS.states;
type Line = readonly [name: string, state: State];

/**
 * `GET /status`: whether the service works, for people. It shows nothing that depends on one account record, such as the
 * state of a single bank, and none of the figures of the operator (docs/self-hosting.md#status-page). 503 while the
 * database is unreachable.
 */
export function registerStatusPage(server: FastifyInstance, options: StatusOptions): void {
  const look = remembered(FRESH_MS, async () => {
    const ready = await options.ready();
    return { ready, delayed: !ready || (await options.warnings()).length > 0 };
  });
  server.get('/status', async (_request, reply) => {
    const { ready, delayed } = await look();
    const service: readonly Line[] = [
      [STATUS.parts.api, ready ? 'working' : 'unreachable'],
      [STATUS.parts.database, ready ? 'working' : 'unreachable'],
      [STATUS.parts.syncs, delayed ? 'delayed' : 'working'],
    ];
    const providers = options
      .providers()
      .map(({ name, connects }): Line => [name, connects ? 'connected' : 'unreachable']);
    const isWell = [...service, ...providers].every(([, state]) => STATUS.states[state].tone === 'ok');
    if (!ready) reply.header('retry-after', RETRY_SECONDS);
    return sendPage(reply, ready ? 200 : 503, {
      title: STATUS.title,
      secretAddress: false,
      body: html`<p role="status"><strong>${isWell ? STATUS.well : STATUS.wrong}</strong></p>
<h2>${STATUS.service}</h2>
${lines(service)}${providers.length === 0 ? html`` : html`<h2>${STATUS.providers}</h2>${lines(providers)}`}
<p class="hint">${STATUS.hint}</p>`,
    });
  });
}

function lines(shown: readonly Line[]): Html {
  return html`<ul class="lines">${shown.map(([name, state]) => {
    const { text, tone } = STATUS.states[state];
    return html`<li><span>${name}</span> <span class="badge ${tone}">${text}</span></li>`;
  })}</ul>`;
}
