import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../src/platform/free-port.ts';
import { withOrigin } from '../../src/platform/request-origin.ts';
import type { Span } from '../../src/platform/span.ts';
import type { TraceExporterOptions } from '../../src/platform/trace-exporter.ts';
import { TraceRecorder } from '../../src/platform/trace-recorder.ts';
import { inRoot, inSpan, NO_TRACING, placeOf } from '../../src/platform/tracing.ts';
import { until } from '../features/linking/person.ts';
import { eventually } from '../support/patience.ts';
import { openTraceCollector } from '../support/trace-collector.ts';
import { httpServer, outgoing } from './loopback-server.ts';

class Tracer {
  readonly counts = new Map<string, number>();
  readonly logged: object[] = [];
  readonly recorder: TraceRecorder;

  constructor(
    t: Pick<TestContext, 'after'>,
    url: string,
    headers: Readonly<Record<string, string>> = {},
    reach: TraceExporterOptions['reach'] = {},
  ) {
    this.recorder = new TraceRecorder({
      reach,
      endpoint: `${url}/v1/traces`,
      headers,
      serviceName: 'test',
      ratio: 1,
      log: { warn: (_message, fields = {}) => void this.logged.push(fields) },
      metrics: {
        traceSpans: (outcome, count) =>
          void this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + count),
      },
    });
    t.after(() => this.recorder.close());
  }

  begin(routine = false): Span {
    const root = { name: 'work', kind: 'internal', requestId: null, place: 'later', routine } as const;
    return this.recorder.root(root) ?? assert.fail('it is recorded');
  }

  /** A trace of one span. */
  record(owner = 'acc_1'): void {
    const span = this.begin();
    span.ownedBy(owner);
    span.end();
  }

  get lost(): number {
    return [...this.counts].reduce(
      (sum, [outcome, count]) => (outcome === 'exported' ? sum : sum + count),
      0,
    );
  }
}

test('spans wait for others, are sent with the headers of the operator, and what waits is sent while closing', async (t) => {
  const collector = await openTraceCollector(t);
  const tracer = new Tracer(t, collector.url, { 'api-key': 'a b' });
  for (let one = 0; one < 700; one++) tracer.record();
  await tracer.recorder.close();
  assert.equal(collector.spans.length, 700);
  assert.deepEqual([...tracer.counts], [['exported', 700]]);
  assert.ok(collector.requests.length <= 3, `${collector.requests.length} requests`);
  assert.equal(collector.requests[0]?.headers['api-key'], 'a b');
  tracer.record();
  assert.equal(tracer.lost, 1, 'nothing is taken after that');
});

test('a collector that is away costs spans, which are counted, and one line of the log', async (t) => {
  const tracer = new Tracer(t, `http://127.0.0.1:${await freePort('127.0.0.1')}`);
  for (let one = 0; one < 20_000; one++) tracer.record(`acc_${one % 7}`);
  await tracer.recorder.close();
  assert.equal(tracer.lost, 20_000);
  assert.equal(tracer.logged.length, 1, JSON.stringify(tracer.logged));
});

test('a collector that hangs, or never ends its answer, delays nothing, and closing waits for it for two seconds', async (t) => {
  for (const hangs of [
    () => undefined,
    (response: ServerResponse) => {
      const dripping = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(dripping));
      response.writeHead(200);
    },
  ]) {
    const collector = await openTraceCollector(t, hangs);
    const tracer = new Tracer(t, collector.url);
    for (let one = 0; one < 600; one++) tracer.record();
    await until(
      async () => collector.requests.length,
      (count) => count === 1,
    );
    const began = performance.now();
    await tracer.recorder.close();
    assert.ok(performance.now() - began < 10_000, 'the deadline of a request is not waited for');
    assert.equal(tracer.lost, 600);
    assert.equal(tracer.logged.length, 1);
  }
});

test('a collector that swallows connections is waited for no longer than two seconds while closing', async (t) => {
  let asked = 0;
  const lookup = (): void => {
    asked += 1;
  };
  const reach = { lookup, connectMs: 120_000 };
  const tracer = new Tracer(t, 'http://collector.example:4318', {}, reach);
  for (let one = 0; one < 600; one++) tracer.record();
  await eventually(() => asked === 1, 'the connection');
  const began = performance.now();
  await tracer.recorder.close();
  const took = performance.now() - began;
  assert.ok(took > 1_500 && took < 10_000, `${took} ms`);
  assert.equal(tracer.lost, 600);
});

test('of a huge answer little is read, and the spans count as taken', async (t) => {
  let sent = 0;
  const collector = await openTraceCollector(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(64 * 1024, 32);
    const more = (): void => {
      while (!response.destroyed && sent < 1_000_000_000) {
        sent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  const tracer = new Tracer(t, collector.url);
  tracer.record();
  await tracer.recorder.close();
  assert.deepEqual([...tracer.counts], [['exported', 1]]);
  assert.ok(sent < 100_000_000, `${sent} bytes were sent`);
});

test('a collector that is busy is asked again, one that refuses is not, and what it took in part is counted', async (t) => {
  const answers = [503, 200, 400] as const;
  const collector = await openTraceCollector(t, (response, request) => {
    const status = answers[request - 1] ?? 500;
    response.writeHead(status).end('{"partialSuccess":{"rejectedSpans":"2"}}');
  });
  const tracer = new Tracer(t, collector.url);
  for (let one = 0; one < 512; one++) tracer.record();
  await until(
    async () => tracer.counts.get('exported') ?? 0,
    (count) => count === 510,
  );
  assert.equal(tracer.counts.get('rejected'), 2);
  for (let one = 0; one < 512; one++) tracer.record();
  await until(
    async () => tracer.counts.get('failed') ?? 0,
    (count) => count === 512,
  );
  assert.equal(collector.requests.length, 3);
});

test('an account record that floods the queue leaves room for the spans of others', async (t) => {
  const collector = await openTraceCollector(t, () => undefined);
  const tracer = new Tracer(t, collector.url);
  // What is sent first hangs; what follows waits.
  for (let one = 0; one < 512; one++) tracer.record('acc_first');
  for (let one = 0; one < 50_000; one++) tracer.record('acc_greedy');
  const before = tracer.lost;
  assert.ok(before >= 47_000, 'most of its spans are dropped');
  for (let one = 0; one < 500; one++) tracer.record(`acc_${one % 5}`);
  assert.equal(tracer.lost, before, 'none of the others is dropped');
});

test('a trace has a bounded number of spans, and says how many were left out', async (t) => {
  const collector = await openTraceCollector(t);
  const tracer = new Tracer(t, collector.url);
  const span = tracer.begin();
  await withOrigin({ requestId: null, span }, async () => {
    for (let one = 0; one < 1_500; one++) await inSpan('read', {}, async () => undefined);
  });
  span.end();
  await tracer.recorder.close();
  assert.equal(collector.spans.length, 1_001);
  const root = collector.spans.find(({ name }) => name === 'work');
  assert.equal(root?.attributes['tributary.dropped_spans'], 500);
  assert.equal(tracer.counts.get('trace_full'), 500);
});

test('routine work is recorded only if it fails or has parts', async (t) => {
  const collector = await openTraceCollector(t);
  const tracer = new Tracer(t, collector.url);
  tracer.begin(true).end();
  const failing = tracer.begin(true);
  failing.fail('timeout');
  failing.end();
  const calling = tracer.begin(true);
  calling.child('GET', { kind: 'client' })?.end();
  calling.end();
  await tracer.recorder.close();
  assert.deepEqual(collector.spans.map(({ name, failed }) => [name, failed]).toSorted(), [
    ['GET', false],
    ['work', false],
    ['work', true],
  ]);
  assert.equal(tracer.lost, 0);
});

test('a failure is named by its kind, never by its message', async (t) => {
  const collector = await openTraceCollector(t);
  const tracer = new Tracer(t, collector.url);
  const root = { name: 'work', kind: 'internal', requestId: null, place: 'later' } as const;
  for (const error of [
    new TypeError('secret 1'),
    Object.assign(new Error('secret 2'), { code: 'ECONNRESET' }),
  ])
    await assert.rejects(inRoot(tracer.recorder, root, () => Promise.reject(error)));
  await tracer.recorder.close();
  assert.deepEqual(
    collector.spans.map(({ attributes }) => attributes['error.type']),
    ['TypeError', 'ECONNRESET'],
  );
  assert.ok(!collector.requests[0]?.body.includes('secret'));
});

test('a call to an address of a user has a span without that address, and so has its failure', async (t) => {
  const collector = await openTraceCollector(t);
  const tracer = new Tracer(t, collector.url);
  const port = await httpServer(t, (_request, response) => void response.writeHead(404).end());
  const http = outgoing(t);
  const span = tracer.begin();
  await withOrigin({ requestId: null, span }, async () => {
    await http.request({ method: 'POST', url: `http://localhost:${port}/secret?secret` });
    await assert.rejects(http.request({ method: 'GET', url: 'http://10.0.0.1/secret' }));
  });
  span.end();
  await tracer.recorder.close();
  const calls = collector.spans.filter(({ kind }) => kind === 'client');
  assert.deepEqual(
    calls.map(({ name, failed, attributes }) => [name, failed, attributes]),
    [
      [
        'POST',
        true,
        { 'http.request.method': 'POST', 'http.response.status_code': 404, 'error.type': '404' },
      ],
      ['GET', true, { 'http.request.method': 'GET', 'error.type': 'refused_address' }],
    ],
  );
});

test('without traces the work is done, and is part of no span', async () => {
  const root = { name: 'work', kind: 'internal', requestId: null, place: 'later' } as const;
  const spans = await inRoot(NO_TRACING, root, (outer) =>
    inSpan('read', {}, async (inner) => [outer, inner]),
  );
  assert.deepEqual(spans, [null, null]);
});

test('the first attempt of what was just queued is part of its request, a later one is not', () => {
  assert.equal(placeOf(1, 1_000), 'part');
  assert.equal(placeOf(1, 600_000), 'later');
  assert.equal(placeOf(2, 1_000), 'later');
});
