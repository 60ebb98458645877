import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestOwner, TestService } from '../../support/service.ts';

/** What one call came to, and how long it took. */
export interface Call {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | null;
  readonly ms: number;
}

/** Any call, by any caller: v2 with a key, a hosted page, a health check. */
export async function call(service: TestService, path: string, init: RequestInit = {}): Promise<Call> {
  const began = performance.now();
  const answer = await fetch(new URL(path, service.url), { redirect: 'manual', ...init });
  const text = await answer.text();
  const { error } = text.startsWith('{') ? JSON.parse(text) : { error: null };
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    code: error?.code ?? null,
    ms: performance.now() - began,
  };
}

/** Calls that need the database, of every kind: reads, writes with and without a key, hosted pages, readiness. */
export function everyKind(service: TestService, owner: TestOwner): Promise<Call[]> {
  const headers = { authorization: `Bearer ${owner.key}`, 'service-version': '2026-10-01.wattle' };
  const json = { ...headers, 'content-type': 'application/json' };
  const key = { method: 'POST', body: JSON.stringify({ name: 'late', scopes: ['data:read'] }) };
  return Promise.all([
    call(service, '/readyz'),
    call(service, '/v2/connections', { headers }),
    call(service, '/v2/syncs', { headers }),
    call(service, '/v2/me', { headers: { ...headers, authorization: `Bearer ${owner.key.slice(0, -1)}` } }),
    call(service, '/v2/api_keys', { ...key, headers: json }),
    call(service, '/v2/api_keys', { ...key, headers: { ...json, 'idempotency-key': 'away' } }),
    call(service, '/v2/categories', { headers }),
    call(service, `/link/${'a'.repeat(43)}`),
  ]);
}

/** Every call was refused as the description says: 503, when to come back, and never a fault of ours. */
export function assertAway(calls: readonly Call[], withinMs: number): void {
  for (const { status, retryAfter, code, ms } of calls) {
    assert.ok(status === 503 || status === 401 || status === 404, `answered ${status} ${code}`);
    if (status === 503) assert.match(String(retryAfter), /^[1-9]\d*$/);
    assert.ok(ms < withinMs, `took ${ms} ms`);
  }
  assert.ok(calls.filter(({ status }) => status === 503).length >= calls.length - 2);
}

/** Seconds until everything is answered again. Fails after a minute. */
export async function recovery(service: TestService, owner: TestOwner): Promise<number> {
  const began = performance.now();
  for (;;) {
    const ready = await call(service, '/readyz');
    const read = await owner.v2('GET', '/v2/api_keys');
    const seconds = (performance.now() - began) / 1000;
    if (ready.status === 200 && read.status === 200) return seconds;
    assert.ok(seconds < 60, 'not recovered within a minute');
    await pause(200);
  }
}

/** How often a key of this name is listed. */
export async function keysNamed(owner: TestOwner, name: string): Promise<number> {
  const { body } = await owner.v2('GET', '/v2/api_keys?limit=100');
  return body.data.filter((key: { readonly name: string }) => key.name === name).length;
}
