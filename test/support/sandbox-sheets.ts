import assert from 'node:assert/strict';
import { SheetsControl } from '../../sandbox/sheets/control.ts';

import type { App } from '../../src/app/build.ts';

/** What may be done to the simulated Google Sheets of a service. */
export function sandboxSheets({ sandbox }: Pick<App, 'sandbox'>): SheetsControl {
  const control = sandbox?.simulators.get('sheets')?.control;
  assert.ok(control instanceof SheetsControl, 'the simulated Google Sheets runs');
  return control;
}
