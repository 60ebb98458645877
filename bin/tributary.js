#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read: it says what is missing where TypeScript cannot run yet.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

const NEEDED = 24;
/** Bundled in what is published; in a checkout, Node reads the sources. */
const bundled = new URL('../dist/main.js', import.meta.url);
/** Commands that ask the database a few things: optimising it is not worth its while (src/surfaces/cli/record-commands.ts). */
const BRIEF = ['account create', 'account update', 'account list', 'key create'];
const brought = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // Half of what a command computes is reading the program: taking its types out and compiling it. Node takes what an
  // earlier command left, if this is said before the first file of the program is read. It lies beside the modules,
  // which only whoever installed us may write: what lies there is run. Where it cannot be written, all is as without it.
  // Threads and processes take it from the variable. Paths are relative, since an image is built in another folder.
  for (const flag of flagsOf(process.argv.slice(2))) setFlagsFromString(flag);
  const cache = fileURLToPath(new URL('../node_modules/.cache/tributary', import.meta.url));
  process.env.NODE_COMPILE_CACHE ??= cache;
  process.env.NODE_COMPILE_CACHE_PORTABLE ??= '1';
  nodeModule.enableCompileCache(cache);
  await import(existsSync(bundled) ? bundled.href : '../src/main.ts');
} else if (existsSync(brought)) {
  const child = spawn(
    brought,
    [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 1;
    if (signal !== null) process.stderr.write(`Tributary was ended by ${signal}.\n`);
  });
} else {
  const otherwise = existsSync(bundled)
    ? ''
    : ', or run npm ci without --omit=dev, which installs the right one';
  process.stderr.write(
    `Tributary needs Node ${NEEDED} or newer and this is Node ${process.versions.node}: install a newer Node${otherwise}.\n`,
  );
  process.exit(1);
}

/**
 * What the program sets of V8 (src/platform/heap.ts, src/storage/embedded/postgres-module.ts), set before the cache is
 * opened: what was compiled under one set of flags is refused under another.
 */
function flagsOf([first, second]) {
  const flags = ['--wasm-num-compilation-tasks=1', '--wasm-lazy-validation'];
  if (first === 'serve') flags.push('--heap-growing-percent=40');
  if (BRIEF.includes(`${first} ${second}`)) flags.push('--wasm-tier-up-filter=2147483647');
  return flags;
}
