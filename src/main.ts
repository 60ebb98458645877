#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Half of what a command computes is reading the program; the second time Node takes what the first time left. Beside
// the modules, which only whoever installed us may write: what lies there is run. Where it cannot be written, all is
// as without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tributary', import.meta.url)));
const { main } = await import('./cli/main.ts');

// Somebody who reads only the first lines closes the pipe; that is no failure of ours.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await main(process.argv.slice(2), process.env);
