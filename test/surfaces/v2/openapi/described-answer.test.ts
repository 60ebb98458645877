import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertDescribed, type CheckedAnswer } from '../../../support/described-answer.ts';
import { description, type Json } from '../../../support/description.ts';

const REQUEST_ID = 'req_0123456789abcdef01234567';
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'request-id': REQUEST_ID,
  'service-version': '2026-10-01.wattle',
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1795214760',
};

/** No operation declares `route_missing`, so the description has no example of it. */
const UNDECLARED = { type: 'invalid_request_error', message: '', param: null, doc_url: '' };

function me(change: Json = {}, more: Record<string, string> = {}, status = 200): CheckedAnswer {
  const { example } = description().paths['/v2/me'].get.responses[200].content['application/json'];
  return { status, headers: new Headers({ ...headers, ...more }), body: { ...example, ...change } };
}

function failure(code: string, status: number, change: Json = {}, more: Json = {}): CheckedAnswer {
  const { value } = description().components.examples[code] ?? { value: { error: UNDECLARED } };
  const error = { ...value.error, code, request_id: REQUEST_ID, ...change };
  return { status, headers: new Headers({ ...headers, ...more }), body: { error } };
}

describe('an answer as described passes', () => {
  const passing: readonly (readonly [string, string, string, CheckedAnswer])[] = [
    ['the resource', 'GET', '/v2/me', me()],
    ['a declared error', 'GET', '/v2/me', failure('api_key_missing', 401)],
    ['no such route', 'GET', '/v2/nothing', failure('route_missing', 404)],
    ['no such method', 'PUT', '/v2/me', failure('route_missing', 404)],
    ['a path that cannot be read', 'GET', '/v2/accounts/%ff', failure('route_missing', 404)],
    ['a wait', 'GET', '/v2/me', failure('rate_limit_exceeded', 429, {}, { 'retry-after': '7' })],
  ];
  for (const [name, method, path, answer] of passing) {
    test(name, () => assertDescribed(method, path, answer));
  }
});

describe('an answer that is not as described fails, and says in what', () => {
  const failing: readonly (readonly [string, string, string, CheckedAnswer, RegExp])[] = [
    ['a field too many', 'GET', '/v2/me', me({ extra: 1 }), /extra/],
    ['a field of another type', 'GET', '/v2/me', me({ plan: 7 }), /\/plan must be string/],
    ['a field missing', 'GET', '/v2/me', me({ limits: {} }), /connections/],
    ['another status', 'GET', '/v2/me', me({}, {}, 202), /describes no answer 202/],
    ['another content type', 'GET', '/v2/me', me({}, { 'content-type': 'text/html' }), /content-type/],
    ['a header nobody described', 'GET', '/v2/me', me({}, { 'x-powered-by': 'x' }), /x-powered-by/],
    ['a header that is no number', 'GET', '/v2/me', me({}, { 'x-ratelimit-limit': 'many' }), /many/],
    ['an id of no request', 'GET', '/v2/me', me({}, { 'request-id': 'x' }), /request-id/],
    ['an error not declared', 'GET', '/v2/me', failure('insufficient_scope', 403), /does not declare/],
    [
      'an error of another type',
      'GET',
      '/v2/me',
      failure('api_key_missing', 401, { type: 'api_error' }),
      /type/,
    ],
    ['a doc_url to elsewhere', 'GET', '/v2/me', failure('api_key_missing', 401, { doc_url: 'x' }), /doc_url/],
    [
      'another request id',
      'GET',
      '/v2/me',
      failure('api_key_missing', 401, { request_id: 'y' }),
      /request_id/,
    ],
    ['a wait without its length', 'GET', '/v2/me', failure('rate_limit_exceeded', 429), /retry-after/],
    ['a success where there is no route', 'GET', '/v2/nothing', me(), /no operation is described/],
    [
      'no route where there is one',
      'GET',
      '/v2/me',
      failure('route_missing', 404),
      /describes no answer 404/,
    ],
  ];
  for (const [name, method, path, answer, words] of failing) {
    test(name, () => assert.throws(() => assertDescribed(method, path, answer), words));
  }
});
