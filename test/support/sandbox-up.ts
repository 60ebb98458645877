import assert from 'node:assert/strict';
import { UpBankControl } from '../../sandbox/up-bank/control.ts';

import type { App } from '../../src/app/build.ts';

/** What may be done to the simulated Up of a service. */
export function sandboxUp({ sandbox }: Pick<App, 'sandbox'>): UpBankControl {
  const control = sandbox?.simulators.get('up_bank')?.control;
  assert.ok(control instanceof UpBankControl, 'the simulated Up runs');
  return control;
}
