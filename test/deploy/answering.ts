import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

const STARTED_MS = 120_000;

/** Waits until the service that `child` starts answers; fails with what it wrote when it ends, or after two minutes. */
export async function answering(url: string, child: ChildProcess, written = (): string => ''): Promise<void> {
  const until = Date.now() + STARTED_MS;
  while (Date.now() < until) {
    assert.equal(child.exitCode, null, written());
    if ((await fetch(url).catch(() => null))?.ok === true) return;
    await setTimeout(100);
  }
  assert.fail(`No answer within ${STARTED_MS} ms: ${written()}`);
}
