import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { say, settingsOf } from './lib/child.ts';

/** How a receiver of the benchmark behaves. */
type Kind = 'healthy' | 'hang' | 'fail' | 'redirect' | 'reset';

const { kinds } = settingsOf();
const CREATED = /"created":"([^"]+)"/;
/** Milliseconds from an event to its arrival at the healthy receivers. */
let latencies: number[] = [];

const ANSWERS: Readonly<Record<Kind, (body: string, response: ServerResponse) => void>> = {
  healthy: (body, response) => {
    const created = CREATED.exec(body)?.[1];
    if (created !== undefined) latencies.push(Date.now() - Date.parse(created));
    response.writeHead(204).end();
  },
  hang: () => undefined,
  fail: (_body, response) => void response.writeHead(500).end(),
  redirect: (_body, response) => void response.writeHead(302, { location: 'https://example.com/' }).end(),
  reset: (_body, response) => void response.destroy(),
};

const urls: string[] = [];
for (const kind of Array.isArray(kinds) ? kinds : []) urls.push(await receiver(String(kind)));
const control = createServer((request, response) => {
  if (request.method === 'DELETE') latencies = [];
  const sorted = latencies.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  response.end(JSON.stringify({ arrived: sorted.length, p95 }));
});
say({ urls, control: await listening(control) });

function receiver(kind: string): Promise<string> {
  const answer = isKind(kind) ? ANSWERS[kind] : ANSWERS.fail;
  return listening(
    createServer((request, response) => {
      bodyOf(request, (body) => answer(body, response));
    }),
  );
}

function bodyOf(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => done(body));
  request.on('error', () => undefined);
}

function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(ANSWERS, text);
}
