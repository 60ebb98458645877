import assert from 'node:assert/strict';
import { AuBankingControl } from '../../sandbox/au-banking/control.ts';
import { BrokerageControl } from '../../sandbox/brokerage/control.ts';
import { EnableBankingControl } from '../../sandbox/enable-banking/control.ts';
import { NzBankingControl } from '../../sandbox/nz-banking/control.ts';
import type { SimulatorControl } from '../../sandbox/shared/control.ts';
import type { AccountStatement } from '../../sandbox/shared/statement.ts';
import { SimplefinControl } from '../../sandbox/simplefin/control.ts';
import { UpBankControl } from '../../sandbox/up-bank/control.ts';
import { addDays, localDateAt } from '../../src/vocabulary/moments.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import { linkAll } from '../surfaces/v1/support/linked.ts';
import type { Simulated } from './cases.ts';

const CUSTOMERS: Readonly<Record<Simulated, string>> = {
  au_banking: 'dormant',
  nz_banking: 'dormant',
  up_bank: 'everyday',
  simplefin: 'quiet',
  enable_banking: 'dormant',
  brokerage: 'cash-only',
};

/** A bank whose statement the suite dictates. */
export interface Bank {
  readonly provider: Simulated;
  readonly control: SimulatorControl;
  /** The vendor's id of the account, and that of v2. */
  readonly vendorAccount: string;
  readonly account: string;
}

/** Links an account of every provider for the owner. */
export async function openBanks(
  service: TestService,
  owner: TestOwner,
  providers: readonly Simulated[],
): Promise<readonly Bank[]> {
  const banks: Bank[] = [];
  for (const provider of providers) {
    const control = service.app.sandbox?.simulators.get(provider)?.control;
    assert.ok(control);
    if (control instanceof BrokerageControl) control.settings.firstSyncDelayMs = 0;
    const [account] = await linkAll(service, owner, [{ provider, customer: CUSTOMERS[provider] }]);
    assert.ok(account);
    banks.push({ provider, control, account, vendorAccount: await vendorAccountOf(control, owner, account) });
  }
  return banks;
}

/** The vendor's id of an account of v2: both have the same place in their lists, or the same name. */
async function vendorAccountOf(
  control: SimulatorControl,
  owner: TestOwner,
  account: string,
): Promise<string> {
  const { name } = (await owner.v2('GET', `/v2/accounts/${account}`)).body;
  if (control instanceof AuBankingControl) return control.consents()[0]?.accountIds[0] ?? assert.fail();
  if (control instanceof EnableBankingControl)
    return control.sessions()[0]?.accounts[0]?.uid ?? assert.fail();
  if (control instanceof NzBankingControl) return control.users()[0]?.accounts[0]?.accountId ?? assert.fail();
  if (control instanceof BrokerageControl) return control.connections()[0]?.accounts[0] ?? assert.fail();
  assert.ok(control instanceof UpBankControl || control instanceof SimplefinControl);
  const accounts = control.customers().flatMap((one) => one.accounts);
  return accounts.find((one) => one.name === name)?.accountId ?? assert.fail(name);
}

export const POSTED = 6;

/** Six posted rows, one a day, and a pending one where the vendor has such. */
export function statementOf(bank: Bank, now: number): AccountStatement {
  const today = localDateAt(now, 'UTC');
  const rows: AccountStatement['rows'] = Array.from({ length: POSTED }, (_, index) => ({
    id: `${bank.provider}-row-${index + 1}`,
    day: addDays(today, -index - 2),
    amount: `-${index + 1}0.25`,
    description: `Shop ${index + 1}`,
  }));
  if (bank.provider !== 'brokerage')
    rows.push({
      id: `${bank.provider}-pending`,
      day: addDays(today, -1),
      amount: '-7.50',
      description: 'Held',
      status: 'pending',
    });
  return { account: bank.vendorAccount, rows };
}
