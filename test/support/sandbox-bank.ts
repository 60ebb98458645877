import assert from 'node:assert/strict';
import type { App } from '../../src/app/build.ts';
import { AuBankingControl } from '../../src/sandbox/au-banking/control.ts';

/** What may be done to the simulated bank of a service. */
export function sandboxBank({ sandbox }: Pick<App, 'sandbox'>): AuBankingControl {
  const control = sandbox?.simulators.get('au_banking')?.control;
  assert.ok(control instanceof AuBankingControl, 'the sandbox bank runs');
  return control;
}
