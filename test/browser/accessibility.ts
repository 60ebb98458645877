import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { settle } from './settle.ts';

const AXE = await readFile(new URL('./axe.min.js', import.meta.resolve('axe-core')), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[];
}

/** Raises if axe finds a violation on the current page. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
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
