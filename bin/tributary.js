#!/usr/bin/env node
// Plain JavaScript that old versions of Node can read: it says what is missing where TypeScript cannot run yet.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const brought = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  // Half of what a command computes is reading the program: taking its types out and compiling it. Node takes what an
  // earlier command left, if this is said before the first file of the program is read. It lies beside the modules,
  // which only whoever installed us may write: what lies there is run. Where it cannot be written, all is as without it.
  nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tributary', import.meta.url)));
  await import('../src/main.ts');
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
  process.stderr.write(
    `Tributary needs Node ${NEEDED} or newer and this is Node ${process.versions.node}: ` +
      'install a newer Node, or run npm ci without --omit=dev, which brings the right one along.\n',
  );
  process.exit(1);
}
