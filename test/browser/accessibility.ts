import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { settle } from './settle.ts';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
}

/** Raises where axe finds a violation on the page as it is now. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source);
  await settle(page);
  const violations: readonly Finding[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations)',
  );
  assert.deepEqual(
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map((node) => [node.target, node.failureSummary]),
    })),
    [],
    what,
  );
}
