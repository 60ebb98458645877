import { readFile } from 'node:fs/promises';
import type { BankDataset } from '../../sandbox/au-banking/dataset/bank-dataset.ts';
import { loadBankDataset } from '../../sandbox/au-banking/dataset/load.ts';
import type { AuBankingSimulator } from '../../sandbox/au-banking/server.ts';
import { CommandFailure, usageFailure } from '../failure.ts';

/** Whom the demo links: a customer of a bank of the sandbox, each by the name a person would know. */
export type DemoCustomer = { readonly bank: string; readonly customer: string };

const SANDBOX_BANK = 'Banking Sandbox Data Holder';

/** What stands behind the demo: everybody of a data file, one customer of N rows, or a salaried household. */
export type DemoBank = {
  readonly dataset: BankDataset | undefined;
  readonly customers: readonly DemoCustomer[];
};

/** @throws CommandFailure when the file is not a bank data file */
export async function demoBank(options: {
  readonly data: string | undefined;
  readonly rows: number | undefined;
}): Promise<DemoBank> {
  if (options.data === undefined) {
    const customer = options.rows === undefined ? 'salaried-household' : `rows:${options.rows}`;
    return { dataset: undefined, customers: [{ bank: SANDBOX_BANK, customer }] };
  }
  const dataset = await readDataset(options.data);
  const customers = dataset.holders.flatMap((holder) =>
    holder.customers
      .filter(({ accounts }) => accounts.length > 0)
      .map(({ customer }) => ({ bank: holder.name, customer })),
  );
  if (customers.length === 0) throw new CommandFailure(`${options.data} holds no customer with an account.`);
  return { dataset, customers };
}

/** Rows that the bank holds of everything its customers agreed to share. */
export function rowsAtBank(simulator: AuBankingSimulator): {
  readonly accounts: number;
  readonly rows: number;
} {
  const { control } = simulator;
  const shared = control.consents().flatMap(({ active, accountIds }) => (active ? accountIds : []));
  return {
    accounts: shared.length,
    rows: shared.reduce((sum, accountId) => sum + control.rowsAtBank(accountId), 0),
  };
}

async function readDataset(path: string): Promise<BankDataset> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw usageFailure(`The data file cannot be read: ${error instanceof Error ? error.message : path}.`);
  }
  try {
    return loadBankDataset(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is of another shape';
    throw new CommandFailure(`${path} is not a bank data file: ${why}`, { cause: error });
  }
}
