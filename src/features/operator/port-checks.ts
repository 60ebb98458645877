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

/** Why it cannot be listened on; null if it can. */
function bindError({ host, port }: Place): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

const servesHere = async (place: Place): Promise<boolean> => {
  const answer = await answerOf(place, '/healthz');
  return answer?.status === 200 && isOurHealth(answer.text);
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

function shown({ host, port }: Place): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
