import { readFileSync } from 'node:fs';

// Loaded before the service in each of its threads: the machine's clock, as far ahead as the file says. Timers and
// performance.now() go on as they are, as they do on a machine whose clock is set.
const path = process.env.TORTURE_CLOCK ?? '';
const real = Date.now;
let ahead = 0;
let read = Number.NEGATIVE_INFINITY;

function shift() {
  if (performance.now() - read > 50) {
    read = performance.now();
    ahead = Number(readFileSync(path, 'utf8')) || 0;
  }
  return ahead;
}

const now = () => real() + shift();
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new Date().toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
