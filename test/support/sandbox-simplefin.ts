import assert from 'node:assert/strict';
import { SimplefinControl } from '../../sandbox/simplefin/control.ts';
import type { App } from '../../src/app/build.ts';

/** What may be done to the simulated SimpleFIN server of a service. */
export function sandboxSimplefin({ sandbox }: Pick<App, 'sandbox'>): SimplefinControl {
  const control = sandbox?.simulators.get('simplefin')?.control;
  assert.ok(control instanceof SimplefinControl, 'the simulated server runs');
  return control;
}
