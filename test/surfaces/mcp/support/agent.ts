import assert from 'node:assert/strict';
import type { Json } from '../../../support/v2-client.ts';
import { assertProtocol, REVISIONS, type Revision } from './protocol-schemas.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

/** A tool's answer: its structured content, or the failure it says. */
export interface Called {
  readonly http: HttpAnswer;
  readonly result: Json;
  /** Of JSON-RPC. */
  readonly error: Json;
  /** Of the tool. */
  readonly failure: Json;
}

/** A program that speaks MCP in one revision. Whatever comes back must be as the schema of the revision says. */
export interface Agent {
  /** A body as it is. */
  send(body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** A request; `result` names the definition that its result has. */
  ask(method: string, params?: Json, result?: string, headers?: Record<string, string>): Promise<HttpAnswer>;
  call(name: string, args?: Json, headers?: Record<string, string>): Promise<Called>;
}

const ACCEPT = 'application/json, text/event-stream';
const LATEST_LEGACY = '2025-11-25';

export function isModern(revision: Revision): boolean {
  return revision > LATEST_LEGACY;
}

/** `path` of the server: with `?tools=all` it lists every tool. */
export function agentOf(
  url: string,
  key: string | null,
  revision: Revision = LATEST_LEGACY,
  path = '/mcp',
): Agent {
  const send: Agent['send'] = async (body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        'content-type': 'application/json',
        accept: ACCEPT,
        ...headers,
      },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? null : JSON.parse(text),
    };
    assert.match(response.headers.get('request-id') ?? '', /^req_/);
    for (const message of Array.isArray(answer.body) ? answer.body : [answer.body])
      assertMessage(message, revision);
    return answer;
  };
  const ask: Agent['ask'] = async (method, params, result, headers = {}) => {
    const answer = await send(requestIn(revision, method, params), {
      ...headersIn(revision, method, params),
      ...headers,
    });
    if (result !== undefined && answer.body?.result !== undefined)
      assertProtocol(revision, result, answer.body.result);
    return answer;
  };
  return {
    send,
    ask,
    call: async (name, args = {}, headers = {}) => {
      const http = await ask('tools/call', { name, arguments: args }, 'CallToolResult', headers);
      const { result, error } = http.body;
      const text = result?.content[0].text;
      if (result?.isError === true) {
        assert.equal(result.structuredContent, undefined);
        return { http, result: null, error: null, failure: JSON.parse(text).error };
      }
      if (result !== undefined) assert.deepEqual(JSON.parse(text), result.structuredContent);
      return { http, result: result?.structuredContent ?? null, error: error ?? null, failure: null };
    },
  };
}

let ids = 0;

export function requestIn(revision: Revision, method: string, params?: Json): Json {
  ids += 1;
  if (!isModern(revision))
    return { jsonrpc: '2.0', id: ids, method, ...(params !== undefined && { params }) };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { jsonrpc: '2.0', id: ids, method, params: { ...params, _meta: { ..._meta, ...params?._meta } } };
}

export function headersIn(revision: Revision, method: string, params?: Json): Record<string, string> {
  const version = { 'mcp-protocol-version': revision };
  if (!isModern(revision)) return method === 'initialize' ? {} : version;
  const name = method === 'tools/call' || method === 'prompts/get' ? params?.name : undefined;
  return { ...version, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': encoded(name) }) };
}

function encoded(name: string): string {
  return /^[\x21-\x7e]*$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;
}

/** An answer that could not be given an id is none of the revisions that want one. */
function assertMessage(message: Json, revision: Revision): void {
  if (message === null) return;
  const without = message.error !== undefined && message.id === undefined;
  const [first = revision] = without
    ? REVISIONS.filter((one) => one >= LATEST_LEGACY && one >= revision)
    : [revision];
  assertProtocol(first, 'JSONRPCMessage', message);
}
