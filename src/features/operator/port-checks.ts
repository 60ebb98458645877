import { createServer } from 'node:net';
import { request } from 'undici';
import type { Config } from '../../platform/config.ts';
import { type Finding, fail, ok } from './finding.ts';

const ANSWER_MS = 5_000;
/** More than either answer that is looked for. */
const ANSWER_BYTES = 1_024;

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Whether the port is free, or this service has it. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const check = 'port';
  const place = shown({ host, port });
  const code = await bindError({ host, port });
  if (code === null) return ok(check, `${place} is free`);
  if (code === 'EADDRINUSE') {
    return (await servesHere({ host, port }))
      ? ok(check, `${place} is in use by this service, which is running`)
      : fail(
          check,
          `${place} is in use by another program`,
          'Stop that program, or set PORT to one that is free.',
        );
  }
  return fail(
    check,
    `${place} cannot be listened on (${code})`,
    'Set HOST to an address of this machine, and PORT to one that this user may open.',
  );
}

/** The same for the port of `/metrics`, without which the service does not start either. */
export async function checkMetricsPort({ host, port, metrics }: Config): Promise<Finding[]> {
  if (metrics === null) return [];
  const check = 'metrics port';
  const place = shown(metrics);
  const own = { host, port };
  const isShared = port !== 0 && metrics.port === port;
  const code = await bindError(metrics, isShared ? own : null);
  if (code === null) return [ok(check, `${place} is free`)];
  if (code === SHARED) return [fail(check, `${place} is the port of PORT as well`)];
  if (code !== 'EADDRINUSE')
    return [
      fail(
        check,
        `${place} cannot be listened on (${code})`,
        'Set METRICS_HOST to an address of this machine, and METRICS_PORT to one that this user may open.',
      ),
    ];
  if (!(await servesMetrics(metrics))) return [fail(check, `${place} is in use by another program`)];
  // The metrics of a service at another port are those of another installation, or of another process of this one.
  return port === 0 || (await servesHere(own))
    ? [ok(check, `${place} is in use by this service, which is running`)]
    : [fail(check, `${place} is in use by a service of Tributary with another PORT`)];
}

/** As a start finds two listeners of its own. */
const SHARED = 'shared';

/** Why it cannot be listened on, or not together with the other place; null if it can. */
function bindError({ host, port }: Place, other: Place | null = null): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, async () => {
      const second = other === null ? null : await bindError(other);
      server.close(() => resolve(second === null ? null : SHARED));
    });
  });
}

const servesHere = async (place: Place): Promise<boolean> => {
  const answer = await answerOf(place, '/healthz');
  return answer?.status === 200 && isOurHealth(answer.text);
};

const servesMetrics = async (place: Place): Promise<boolean> => {
  const answer = await answerOf(place, '/');
  return answer?.status === 404 && isOurMetrics(answer.text);
};

async function answerOf(
  { host, port }: Place,
  path: string,
): Promise<{ readonly status: number; readonly text: string } | null> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await request(`http://${shown({ host: reached, port })}${path}`, { signal });
    let text = '';
    for await (const chunk of answer.body) {
      text += String(chunk);
      if (text.length > ANSWER_BYTES) break;
    }
    return { status: answer.statusCode, text };
  } catch {
    return null;
  }
}

/** Whether this is what `/healthz` of this service says, word for word; many others say something alike. */
export function isOurHealth(text: string): boolean {
  return text === '{"status":"ok"}';
}

/** Whether this is what the listener of `/metrics` says of every other path, word for word. */
function isOurMetrics(text: string): boolean {
  return text === 'GET /metrics\n';
}

function shown({ host, port }: Place): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
