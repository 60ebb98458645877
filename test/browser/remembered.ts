import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/**
 * Walks React's tree for the client of queries, which no part of the application hands out, and answers everything that
 * the page still holds: its document, its address and history, its storage, and what it has read and written.
 */
const REMEMBERED = `(() => {
  const root = document.getElementById('app');
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  const waiting = [root[key].stateNode.current];
  let client = null;
  while (waiting.length > 0 && client === null) {
    const fiber = waiting.pop();
    const found = fiber.memoizedProps?.client;
    if (found?.getQueryCache !== undefined) client = found;
    for (const next of [fiber.child, fiber.sibling]) if (next) waiting.push(next);
  }
  return JSON.stringify({
    queries: client.getQueryCache().getAll().map(({ state }) => state.data),
    mutations: client.getMutationCache().getAll().map(({ state }) => [state.data, state.variables]),
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    address: location.href,
    history: history.state,
    storage: [{ ...localStorage }, { ...sessionStorage }],
  });
})()`;

/** Raises if the page still has the secret in any place that outlives the component that showed it. */
export async function assertForgotten(page: Page, secret: string): Promise<void> {
  assert.ok(secret.length > 20);
  const held: string = await page.evaluate(REMEMBERED);
  const { queries } = JSON.parse(held);
  assert.ok(queries.length > 0, 'the client of queries was found');
  assert.ok(!held.includes(secret), 'the page holds the secret');
}
