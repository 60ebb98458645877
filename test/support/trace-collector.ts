import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SPAN_KINDS } from '../../src/platform/span.ts';

/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly failed: boolean;
}

/** A collector that reads OTLP/HTTP in JSON as strictly as the protocol allows. */
export interface TraceCollector {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT is set to. */
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly resources: Readonly<Record<string, string | number>>[];
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  close(): Promise<void>;
}

/** @param answer responds to each request after it was read; by default with success */
export async function openTraceCollector(
  t: Pick<TestContext, 'after'>,
  answer: (response: ServerResponse, request: number) => void = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}'),
): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, string | number>[] = [];
  const requests: TraceCollector['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ headers: request.headers, body });
      assert.equal(request.method, 'POST');
      assert.equal(request.url, '/v1/traces');
      assert.equal(request.headers['content-type'], 'application/json');
      for (const read of readBody(body)) {
        resources.push(read.resource);
        spans.push(...read.spans);
      }
      answer(response, requests.length);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port }: AddressInfo = listeningAt(server.address());
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  t.after(close);
  return { url: `http://127.0.0.1:${port}`, spans, resources, requests, close };
}

function listeningAt(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === 'object' && address !== null);
  return address;
}

function readBody(body: string) {
  const { resourceSpans, ...unknown } = JSON.parse(body);
  assert.deepEqual(unknown, {});
  assert.ok(Array.isArray(resourceSpans) && resourceSpans.length <= 1);
  return resourceSpans.map(({ resource, scopeSpans }) => {
    assert.equal(scopeSpans.length, 1);
    assert.equal(scopeSpans[0].scope.name, 'tributary');
    return { resource: attributesOf(resource.attributes), spans: scopeSpans[0].spans.map(readSpan) };
  });
}

const KINDS = new Map<unknown, string>(Object.entries(SPAN_KINDS).map(([name, number]) => [number, name]));

function readSpan(span: Record<string, unknown>): ReceivedSpan {
  const { traceId, spanId, parentSpanId = null, name, kind, attributes, links, status } = span;
  const { startTimeUnixNano: start, endTimeUnixNano: end } = span;
  assert.ok(isHex(traceId, 32) && isHex(spanId, 16), 'ids are in hex');
  assert.ok(parentSpanId === null || isHex(parentSpanId, 16));
  assert.ok(isNano(start) && isNano(end) && BigInt(start) <= BigInt(end), 'moments are decimal strings');
  assert.ok(typeof name === 'string' && Array.isArray(links) && Array.isArray(attributes));
  const known = links.map((link) => {
    assert.ok(isHex(link.traceId, 32) && isHex(link.spanId, 16));
    return { traceId: String(link.traceId), spanId: String(link.spanId) };
  });
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: KINDS.get(kind) ?? assert.fail('an unknown kind'),
    attributes: attributesOf(attributes),
    links: known,
    failed: JSON.stringify(status) === '{"code":2}',
  };
}

function isHex(value: unknown, digits: number): value is string {
  return typeof value === 'string' && /^[0-9a-f]+$/.test(value) && value.length === digits;
}

function isNano(value: unknown): value is string {
  return typeof value === 'string' && /^\d{19}$/.test(value);
}

function attributesOf(list: readonly { key: string; value: { stringValue?: string; intValue?: number } }[]) {
  const entries = list.map(({ key, value }): [string, string | number] => [
    key,
    value.stringValue ?? value.intValue ?? assert.fail(`${key} has no value`),
  ]);
  assert.equal(new Set(entries.map(([key]) => key)).size, entries.length, 'no attribute is given twice');
  return Object.fromEntries(entries);
}
