import assert from 'node:assert/strict';
import { AuBankingControl } from '../../sandbox/au-banking/control.ts';

import type { App } from '../../src/app/build.ts';

/** What may be done to the simulated bank of a service. */
export function sandboxBank({ sandbox }: Pick<App, 'sandbox'>): AuBankingControl {
  const control = sandbox?.simulators.get('au_banking')?.control;
  assert.ok(control instanceof AuBankingControl, 'the sandbox bank runs');
  return control;
}
