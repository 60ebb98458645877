import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeDataLock, waitForDataLock } from '../../src/platform/data-lock.ts';
import { temporaryDirectory } from '../surfaces/cli/temporary-directory.ts';

const SOURCE = new URL('../../src/platform/data-lock.ts', import.meta.url).href;

/** A process that tries for the lock, says `held` or `refused`, and holds what it got until it is killed. */
function holder(directory: string): ChildProcess {
  const script = `
    import { takeDataLock } from ${JSON.stringify(SOURCE)};
    const lock = await takeDataLock(${JSON.stringify(directory)});
    process.stdout.write(lock === null ? 'refused' : 'held');
    if (lock !== null) setInterval(() => lock, 1000);
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstWord(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [word] = await once(child.stdout.setEncoding('utf8'), 'data');
  return String(word);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('A data directory belongs to one holder at a time, and to the next once it is released', async (t) => {
  const directory = await temporaryDirectory(t);
  const first = await takeDataLock(directory);
  assert.ok(first);
  assert.equal(await takeDataLock(directory), null);
  const waiting = waitForDataLock(directory, 5000);
  first.release();
  const second = await waiting;
  assert.ok(second);
  second.release();
});

test('The lock file is no one else’s to open', async (t) => {
  const directory = join(await temporaryDirectory(t), 'new');
  const lock = await takeDataLock(directory);
  t.after(() => lock?.release());
  assert.equal((await stat(join(directory, 'lock'))).mode & 0o777, 0o600);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
});

test('Of many processes that want a directory at once, exactly one gets it', async (t) => {
  const directory = await temporaryDirectory(t);
  const children = Array.from({ length: 6 }, () => holder(directory));
  t.after(() => Promise.all(children.map(kill)));
  const words = await Promise.all(children.map(firstWord));
  assert.deepEqual(words.toSorted(), ['held', ...Array.from({ length: 5 }, () => 'refused')]);
});

test('A lock whose holder was killed with SIGKILL is free at once, and again only one gets it', async (t) => {
  const directory = await temporaryDirectory(t);
  const victim = holder(directory);
  assert.equal(await firstWord(victim), 'held');
  assert.equal(await takeDataLock(directory), null);
  await kill(victim);
  const successors = Array.from({ length: 4 }, () => holder(directory));
  t.after(() => Promise.all(successors.map(kill)));
  const words = await Promise.all(successors.map(firstWord));
  assert.equal(words.filter((word) => word === 'held').length, 1);
});
