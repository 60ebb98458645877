import assert from 'node:assert/strict';
import type { TestOwner } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';

export const path = '/v2/categories';

export async function ok(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export async function refused(
  answer: Promise<Answer>,
  code: string,
  param: string | null = null,
): Promise<void> {
  const { status, body } = await answer;
  assert.deepEqual([body.error?.code, body.error?.param], [code, param], JSON.stringify(body));
  const statuses: Record<string, number> = {
    parameter_invalid: 400,
    parameter_missing: 400,
    resource_missing: 404,
  };
  assert.equal(status, statuses[code] ?? 409);
}

export async function listed(owner: TestOwner, query = ''): Promise<Json[]> {
  const body = await ok(owner.v2('GET', `${path}${query}`));
  assert.deepEqual([body.object, body.next_page_url, body.previous_page_url], ['list', null, null]);
  return body.data;
}

export const names = (categories: Json[]): string[] => categories.map(({ name }) => name);

export async function named(owner: TestOwner, name: string): Promise<Json> {
  const found = (await listed(owner)).find((category) => category.name === name);
  assert.ok(found !== undefined, name);
  return found;
}

export function create(owner: TestOwner, body: object): Promise<Json> {
  return ok(owner.v2('POST', path, body));
}
