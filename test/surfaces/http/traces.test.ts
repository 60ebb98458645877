import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { WebhookReceiver } from '../../../src/app/demo/receiver.ts';
import { PERIODIC_WORK } from '../../../src/background/periodic.ts';
import { toolNamed } from '../../../src/operations/mcp/tool-table.ts';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { QUEUES } from '../../../src/storage/job-queues.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { CAPABILITIES } from '../../../src/vocabulary/provider-kinds.ts';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { until } from '../../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { openTraceCollector, type ReceivedSpan, type TraceCollector } from '../../support/trace-collector.ts';
import { linkAll } from '../v1/support/linked.ts';

interface Line {
  readonly message: string;
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly span_id?: string;
}

interface Traced {
  readonly service: TestService;
  readonly owner: TestOwner;
  readonly collector: TraceCollector;
  readonly lines: readonly Line[];
}

async function startTraced(t: TestContext, settings: Record<string, string> = {}): Promise<Traced> {
  const collector = await openTraceCollector(t);
  const lines: Line[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const service = await startService(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info', ...settings },
    { destination },
  );
  t.after(() => service.close());
  return { service, owner: await service.owner(), collector, lines };
}

/** What has arrived once spans of these names have. */
async function received(
  { spans }: TraceCollector,
  ...names: readonly string[]
): Promise<readonly ReceivedSpan[]> {
  await until(
    async () => names.filter((name) => !spans.some((span) => span.name === name)),
    (missing) => missing.length === 0,
  );
  return spans;
}

function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const [found, ...more] = spans.filter((span) => span.name === name);
  assert.ok(found !== undefined && more.length === 0, `${more.length + 1} spans are called ${name}`);
  return found;
}

/** The span and those it is part of, up to the first of the trace. */
function path(spans: readonly ReceivedSpan[], span: ReceivedSpan): readonly string[] {
  const parent = spans.find(
    (one) => one.spanId === span.parentSpanId && one.traceId === span.traceId && one !== span,
  );
  assert.ok(span.parentSpanId === null || parent !== undefined, `the parent of ${span.name} is missing`);
  return parent === undefined ? [span.name] : [...path(spans, parent), span.name];
}

const FIXED = [
  'sync run',
  'recover',
  'read',
  'compare',
  'deliver',
  'finish',
  'deliver events',
  'deliver event',
];
const METHODS = 'GET|HEAD|POST|PUT|PATCH|DELETE';

/** Whether a name is one of ours: with the ids of what it is about, there would be as many names as ids. */
function isFromTables({ name, kind }: ReceivedSpan): boolean {
  const [first = '', second = ''] = name.split(' ');
  if (kind === 'server')
    return new RegExp(`^(${METHODS})( /[a-z0-9_./:*-]*)?$`).test(name) && !/\d{3}/.test(name);
  if (kind === 'client') return new RegExp(`^(${METHODS})$`).test(name);
  if (first === 'process') return QUEUES.some((queue) => queue.name === second);
  if (first === 'provider') return CAPABILITIES.some((capability) => capability === second);
  if (first === 'tools/call') return toolNamed(second) !== null;
  return FIXED.includes(name) || Object.hasOwn(PERIODIC_WORK, name) || name === 'tools/list';
}

test('a sync that a request started is one picture, from the request to the calls of bank and destination', async (t) => {
  const { service, owner, collector, lines } = await startTraced(t);
  const receiver = await WebhookReceiver.start();
  t.after(() => receiver.close());
  const accounts = await linkAll(service, owner, [{ provider: 'up_bank', customer: 'everyday' }]);
  const target = { url: `${receiver.url}/deliveries?token=hidden` };
  const destination = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'A', target });
  receiver.expect(destination.body.config.signing_secret);
  const events = await owner.v2('POST', '/v2/event_destinations', {
    name: 'Events',
    webhook_endpoint: { url: `${receiver.url}/events` },
    enabled_events: ['sync_run.succeeded'],
  });
  assert.ok(events.status < 300, JSON.stringify(events.body));
  const settings = { type: 'transactions', name: 'A', accounts, mapping_mode: 'bulk' };
  const created = await owner.v2('POST', '/v2/syncs', { ...settings, destination: destination.body.id });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  await until(
    () => owner.v2('GET', `/v2/sync_runs/${created.body.latest_run.id}`),
    ({ body }) => body.status === 'succeeded',
  );
  const deleted = await owner.v2('DELETE', `/v2/connections/${(await connectionOf(owner)).id}`);
  const spans = await received(collector, 'sync run', 'process connection-cleanup', 'deliver event');

  const requestId = created.headers.get('request-id') ?? '';
  const request = only(spans, 'POST /v2/syncs');
  assert.equal(request.traceId, `74726962${requestId.slice(4)}`, 'the trace is found by the request id');
  assert.deepEqual(request.attributes, {
    'http.request.method': 'POST',
    'http.route': '/v2/syncs',
    'http.response.status_code': 201,
    'tributary.operation': 'create_sync',
    'tributary.request_id': requestId,
    'tributary.account_record': only(spans, 'sync run').attributes['tributary.account_record'],
  });
  const run = only(spans, 'sync run');
  assert.equal(run.kind, 'consumer');
  assert.equal(run.attributes['tributary.run'], created.body.latest_run.id);
  assert.equal(run.attributes['tributary.attempt'], 1);
  const inTrace = spans.filter((span) => span.traceId === request.traceId);
  const paths = new Set(inTrace.map((span) => path(spans, span).join(' > ')));
  const under = (...rest: string[]) => ['POST /v2/syncs', 'sync run', ...rest].join(' > ');
  for (const expected of [
    under('recover'),
    under('read', 'provider transactions', 'GET'),
    under('compare'),
    under('deliver', 'POST'),
  ])
    assert.ok(paths.has(expected), `${expected}\nin\n${[...paths].join('\n')}`);
  const read = inTrace.find((span) => span.name === 'GET');
  assert.equal(read?.kind, 'client');
  assert.equal(read.attributes['server.address'], '127.0.0.1', 'the operator chose where banks are');
  const sent = inTrace.find((span) => span.name === 'POST' && span.kind === 'client');
  assert.equal(sent?.attributes['http.response.status_code'], 204);
  assert.ok(!Object.hasOwn(sent.attributes, 'server.address'), 'the owner chose where the webhook is');

  const cleanup = only(spans, 'process connection-cleanup');
  const deletion = `74726962${deleted.headers.get('request-id')?.slice(4)}`;
  assert.notEqual(cleanup.traceId, deletion);
  assert.deepEqual(
    cleanup.links.map(({ traceId }) => traceId),
    [deletion],
    'a job links to the request that queued it',
  );
  const delivered = spans.find((span) => span.name === 'deliver event');
  assert.ok(delivered);
  assert.deepEqual(path(spans, delivered), ['deliver events', 'deliver event']);

  assert.deepEqual(
    spans.filter((span) => !isFromTables(span)).map(({ name }) => name),
    [],
  );
  const operations = spans.map(({ attributes }) => attributes['tributary.operation']);
  for (const operation of operations)
    assert.ok(operation === undefined || OPERATIONS.some(({ id }) => id === operation), String(operation));
  const ended = lines.find(({ message }) => message === 'A run ended.');
  assert.equal(ended?.trace_id, run.traceId);
  assert.equal(ended.span_id, run.spanId);
  assert.equal(ended.request_id, requestId);
  assert.equal(collector.resources[0]?.['service.name'], 'tributary');
  const text = collector.requests.map(({ body }) => body).join();
  for (const hidden of ['hidden', '/deliveries', owner.key]) assert.ok(!text.includes(hidden), hidden);
});

async function connectionOf(owner: TestOwner) {
  const { body } = await owner.v2('GET', '/v2/connections');
  return body.data[0];
}

const CALLERS = '4bf92f3577b34da6a3ce929d0e0e4736';

test('what callers say about their trace is linked, and decides neither the trace nor whether it is recorded', async (t) => {
  const { service, owner, collector } = await startTraced(t, { OTEL_SERVICE_NAME: 'hub' });
  const ask = (traceparent: string) =>
    fetch(`${service.url}/v2/me`, {
      headers: {
        'service-version': CURRENT_RELEASE,
        authorization: `Bearer ${owner.key}`,
        traceparent,
        tracestate: 'a=secret',
        baggage: 'b=secret',
      },
    });
  for (const traceparent of [
    `00-${CALLERS}-00f067aa0ba902b7-00`,
    `00-${CALLERS}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `ff-${CALLERS}-00f067aa0ba902b7-01`,
    'secret',
  ])
    assert.equal((await ask(traceparent)).status, 200);
  const spans = await until(
    async () => collector.spans.filter(({ name }) => name === 'GET /v2/me'),
    ({ length }) => length === 5,
  );
  for (const { traceId, parentSpanId } of spans) {
    assert.notEqual(traceId, CALLERS);
    assert.equal(parentSpanId, null);
  }
  assert.deepEqual(
    spans.map(({ links }) => links.map(({ traceId }) => traceId)).toSorted((a, b) => b.length - a.length),
    [[CALLERS], [CALLERS], [], [], []],
  );
  assert.ok(!collector.requests.some(({ body }) => body.includes('secret')));
  assert.equal(collector.resources[0]?.['service.name'], 'hub');
});

test('a message of an agent is part of its request, and is named after its tool', async (t) => {
  const { service, owner, collector } = await startTraced(t);
  const call = async (method: string, params: object) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    await answer.text();
  };
  await call('tools/call', { name: 'list_accounts', arguments: {} });
  await call('a/secret', {});
  const spans = await received(collector, 'tools/call list_accounts', 'other');
  const tool = only(spans, 'tools/call list_accounts');
  assert.deepEqual(path(spans, tool), ['POST /mcp', 'tools/call list_accounts']);
  assert.equal(tool.attributes['gen_ai.tool.name'], 'list_accounts');
  assert.ok(!collector.requests.some(({ body }) => body.includes('a/secret')));
});

test('a share of the traces is recorded, each of them whole', async (t) => {
  const { owner, collector } = await startTraced(t, {
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.3',
  });
  const ids: string[] = [];
  for (let request = 0; request < 60; request++)
    ids.push((await owner.v2('GET', '/v2/me')).headers.get('request-id') ?? '');
  const expected = ids.filter((id) => Number.parseInt(id.slice(-12), 16) < 0.3 * 16 ** 12).toSorted();
  const requests = () => collector.spans.filter(({ name }) => name === 'GET /v2/me');
  await until(
    async () => requests().length,
    (count) => count >= expected.length,
  );
  assert.deepEqual(
    requests()
      .map(({ attributes }) => attributes['tributary.request_id'])
      .toSorted(),
    expected,
  );
});

test('a request that is answered at once or refused is that of its caller', async (t) => {
  const { service, owner, collector } = await startTraced(t, { LIMIT_RATE_CHEAP: '2' });
  const narrow = await service.owner(['categories:read']);
  const answers = [
    await owner.v2('GET', '/v2/me'),
    await owner.v2('GET', '/v2/me'),
    await owner.v2('GET', '/v2/me'),
    await narrow.v2('GET', '/v2/destinations'),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429, 403],
  );
  const spans = await until(
    async () => collector.spans.filter(({ kind }) => kind === 'server'),
    ({ length }) => length === answers.length,
  );
  const ownerOf = ({ headers }: (typeof answers)[number]) =>
    spans.find(({ attributes }) => attributes['tributary.request_id'] === headers.get('request-id'))
      ?.attributes['tributary.account_record'];
  const [mine, others] = [owner, narrow].map(({ record }) => publicId('account_record', record.id));
  assert.deepEqual(answers.map(ownerOf), [mine, mine, mine, others]);
});

test('an account record whose requests are all answered at once leaves room for the spans of others', async (t) => {
  const collector = await openTraceCollector(t, () => undefined);
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...LIMITS_ASIDE });
  t.after(() => service.close());
  const [greedy, other] = [await service.owner(), await service.owner()];
  const ask = async ({ v2 }: TestOwner, times: number): Promise<void> => {
    for (let sent = 0; sent < times; sent += 20)
      await Promise.all(
        Array.from({ length: 20 }, async () => assert.equal((await v2('GET', '/v2/me')).status, 200)),
      );
  };
  const dropped = async (): Promise<number> =>
    Number(
      /^tributary_trace_spans_total\{outcome="queue_full"\} (\d+)$/m.exec(
        await service.app.metrics.text(),
      )?.[1] ?? 0,
    );
  // What is sent first hangs; what follows waits until its share of the queue is full.
  while ((await dropped()) === 0) await ask(greedy, 100);
  const before = await dropped();
  await ask(other, 100);
  assert.equal(await dropped(), before);
});

const LOADED_FILES = fileURLToPath(new URL('../../support/loaded-files.ts', import.meta.url));

/** The files that have to do with traces of those that the service loads in a process of its own. */
async function loadedWith(settings: Record<string, string>): Promise<readonly string[]> {
  const args = [LOADED_FILES, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await new Promise((closed) => child.once('close', closed));
  const loaded: readonly string[] = JSON.parse(printed);
  assert.ok(loaded.some((url) => url.endsWith('/src/app/build.ts')));
  // The libraries of the metrics and of Redis load the API of OpenTelemetry for themselves, which does nothing alone.
  const theirs = /\/node_modules\/(?:@opentelemetry\/api|@redis)\//;
  const others = loaded.filter((url) => !theirs.test(url));
  return others.filter((url) => /opentelemetry|trace-recorder|trace-exporter|otlp/.test(url));
}

test('while traces are off, nothing that records or sends them is loaded', async (t) => {
  const collector = await openTraceCollector(t);
  const url = collector.url;
  for (const off of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' },
  ])
    assert.deepEqual(await loadedWith(off), [], JSON.stringify(off));
  assert.equal(collector.requests.length, 0);
  const on = await loadedWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` });
  assert.ok(on.some((loaded) => loaded.endsWith('/trace-recorder.ts')));
  assert.ok(
    collector.spans.some(({ name }) => name === 'GET /v2/me'),
    'what waits is sent before it ends',
  );
});
