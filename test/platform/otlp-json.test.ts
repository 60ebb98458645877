import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type EndedSpan, otlpBody, rejectedSpans } from '../../src/platform/otlp-json.ts';
import type { SpanAttribute } from '../../src/platform/span.ts';
import { isAttributeValue, parseTraceparent, traceOfRequest } from '../../src/platform/span.ts';

const TRACE = '747269622563059745c28aae16491844';
const REQUEST = '2563059745c28aae';
const OTHER = 'b7ad6b71692033314bf92f3577b34da6';
const AT = 1_790_000_000_000;

type Attribute = readonly [SpanAttribute, string | number];

function span(given: Partial<EndedSpan>, ...attributes: readonly Attribute[]): EndedSpan {
  return {
    traceId: TRACE,
    spanId: REQUEST,
    parentId: null,
    name: '',
    kind: 'internal',
    startedAt: AT + 14,
    endedAt: AT + 9_014,
    attributes: new Map(attributes),
    links: [],
    failed: false,
    ...given,
  };
}

test('what is sent is what the official serializer makes of the same spans', () => {
  // Made by JsonTraceSerializer of @opentelemetry/otlp-transformer 0.223.1.
  const official = JSON.parse(readFileSync(new URL('otlp-request.json', import.meta.url), 'utf8'));
  const spans = [
    span(
      {
        name: 'GET',
        kind: 'client',
        spanId: '00f067aa0ba902b7',
        parentId: REQUEST,
        startedAt: AT + 0.25,
        endedAt: AT + 12.5,
        failed: true,
      },
      ['http.request.method', 'GET'],
      ['server.address', 'api.example.com'],
      ['server.port', 443],
      ['http.response.status_code', 503],
      ['error.type', '503'],
    ),
    span(
      {
        name: 'GET /v2/me',
        kind: 'server',
        startedAt: AT,
        endedAt: AT + 13.125,
        links: [{ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: 'b7ad6b7169203331' }],
      },
      ['http.route', '/v2/me'],
    ),
    span({ name: 'sync run', kind: 'consumer', spanId: 'b7ad6b7169203331', parentId: REQUEST }, [
      'tributary.attempt',
      1,
    ]),
    span({ name: 'due syncs', traceId: OTHER, spanId: 'b7ad6b7169203332' }),
    span({
      name: 'deliver event',
      kind: 'producer',
      traceId: OTHER,
      spanId: 'b7ad6b7169203333',
      parentId: 'b7ad6b7169203332',
    }),
  ];
  const instance = '0e5c2c5e-0a3c-4a1e-9d5d-0d6c7f1c2b3a';
  const body = otlpBody({ serviceName: 'tributary', version: '0.1.0', instance }, spans);
  assert.deepEqual(JSON.parse(body), official);
});

test('what a collector refuses of a request is counted, up to what was sent', () => {
  const rejected = (text: string) => rejectedSpans(Buffer.from(text), 10);
  assert.equal(rejected('{}'), 0);
  assert.equal(rejected('{"partialSuccess":{"rejectedSpans":"3","errorMessage":"full"}}'), 3);
  assert.equal(rejected('{"partialSuccess":{"rejectedSpans":4}}'), 4);
  assert.equal(rejected('{"partialSuccess":{"rejectedSpans":"999999999"}}'), 10);
  assert.equal(rejected('<html>rejected</html>'), 0);
});

test('the trace of a request follows from its id', () => {
  assert.deepEqual(traceOfRequest('req_2563059745c28aae16491844'), { traceId: TRACE, spanId: REQUEST });
  for (const id of ['', 'req_1', 'req_2563059745C28AAE16491844', `req_${'0'.repeat(24)}`])
    assert.equal(traceOfRequest(id), null, id);
});

test('a traceparent of another form names no span', () => {
  const good = `00-${OTHER}-${REQUEST}-00`;
  const ids = { traceId: OTHER, spanId: REQUEST };
  assert.deepEqual(parseTraceparent(good), ids);
  assert.deepEqual(parseTraceparent(`cc-${OTHER}-${REQUEST}-01-what-comes-later`), ids);
  for (const bad of [
    undefined,
    [good],
    '',
    good.toUpperCase(),
    `ff-${OTHER}-${REQUEST}-00`,
    `00-${'0'.repeat(32)}-${REQUEST}-00`,
    `00-${OTHER}-${'0'.repeat(16)}-00`,
    `00-${OTHER}-${REQUEST}`,
    `00-${OTHER}x-${REQUEST}-00`,
    `${good}-${'a'.repeat(200)}`,
  ])
    assert.equal(parseTraceparent(bad), null, String(bad));
});

test('an attribute takes no sentence, amount, account number, address, query or secret', () => {
  const refused: readonly (readonly [SpanAttribute, string | number])[] = [
    ['tributary.operation', 'Paid 1234.50 to the jeweller'],
    ['tributary.operation', 'café'],
    ['tributary.provider', '062000123456'],
    ['error.type', 'The account 12345678 is closed'],
    ['error.type', 'a,b'],
    ['http.route', '/v2/accounts/12345678'],
    ['http.route', '/v2/me?token=a'],
    ['server.address', 'user:secret@example.com/path'],
    ['tributary.run', 'run_a b'],
    ['tributary.rows', 1.5],
    ['tributary.rows', '1'],
    ['tributary.operation', 'a'.repeat(81)],
  ];
  for (const [name, value] of refused) assert.ok(!isAttributeValue(name, value), `${name}: ${value}`);
  const taken: readonly (readonly [SpanAttribute, string | number])[] = [
    ['tributary.operation', 'list_accounts'],
    ['error.type', '503'],
    ['error.type', 'upstream_timeout'],
    ['http.route', '/v2/accounts/:id'],
    ['server.address', 'api.example.com'],
    ['tributary.run', 'run_0355tA2ziEiGWEIcFoRH9g'],
    ['tributary.rows', 500],
  ];
  for (const [name, value] of taken) assert.ok(isAttributeValue(name, value), `${name}: ${value}`);
});
