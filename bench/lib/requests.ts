import { request } from 'undici';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { startChild } from './child.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';

const CONNECTIONS = 16;

/** How many requests a second one address of v2 handles, compared with a bare route that returns the same bytes. */
export async function compareRequests(
  { service, secret }: PreparedService,
  name: string,
  path: string,
  rounds: number,
  seconds: number,
): Promise<Ratio> {
  const headers = { authorization: `Bearer ${secret}`, 'service-version': CURRENT_RELEASE };
  const sample = await request(service.url + path, { headers });
  const body = await sample.body.text();
  if (sample.statusCode !== 200) throw new Error(`${path} answered ${sample.statusCode}: ${body}`);
  const bare = startChild('bare-server.ts', { body });
  try {
    const bareUrl = String((await bare.next()).url);
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const loadOf = (url: string): Promise<number> => loaded({ url, path, headers, seconds });
      // The side that goes first in a round goes second in the next, so that a machine that slows down affects both.
      if (round % 2 === 0) {
        const ours = await loadOf(service.url);
        measured.push({ ours, reference: await loadOf(bareUrl) });
      } else {
        const reference = await loadOf(bareUrl);
        measured.push({ ours: await loadOf(service.url), reference });
      }
    }
    return ratiosOf(name, 'requests/s', `${Buffer.byteLength(body)} bytes of body`, measured);
  } finally {
    await bare.kill();
  }
}

/** A request that is sent repeatedly. */
interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface LoadSettings extends Asked {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly seconds: number;
  /** Also sent, each on the same number of connections. */
  readonly others?: readonly Asked[];
}

/** Requests a second that an address handles, on open connections. */
export async function loaded(settings: LoadSettings): Promise<number> {
  return (await load(settings)).rate;
}

/** The same, and how many requests were answered in all, the warm-up included. */
export async function load(
  settings: LoadSettings,
): Promise<{ readonly rate: number; readonly answered: number }> {
  const { url, seconds, path, others = [] } = settings;
  const child = startChild('load.ts', {
    url,
    requests: [settings, ...others].map((asked) => textOf({ ...settings, ...asked })),
    seconds,
    connections: CONNECTIONS,
    warmup: seconds / 3,
  });
  try {
    const { requests_per_second: rate, answered, failed } = await child.next();
    if (Number(failed) > 0) throw new Error(`${String(failed)} requests to ${path} failed.`);
    return { rate: Number(rate), answered: Number(answered) };
  } finally {
    await child.kill();
  }
}

function textOf({ url, path, headers, method = 'GET', body = '' }: LoadSettings): string {
  return [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    ...(method === 'GET' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
