import { readFile } from 'node:fs/promises';
import { isRecord } from '../../shared/json.ts';
import type { BankDataset } from './bank-dataset.ts';
import { flatHolders } from './flat-shape.ts';
import { DatasetError, Node } from './reader.ts';
import { standardHolders } from './standard-shape.ts';

/**
 * Reads a bank data file, already parsed from JSON, in either published shape: the mock data holder's flat
 * `Customers` list or the standard's `holders`. Throws {@link DatasetError} naming the place for anything else.
 */
export function loadBankDataset(json: unknown): BankDataset {
  const file = new Node(json, '$');
  if (isRecord(json) && Array.isArray(json.holders)) return { holders: unique(standardHolders(file)) };
  if (isRecord(json) && Array.isArray(json.Customers)) return { holders: unique(flatHolders(file)) };
  throw new DatasetError('$', 'must have a list "holders" (standard shape) or "Customers" (flat shape)');
}

/** Two identical log-ins or account ids at one bank could not be distinguished. */
function unique(holders: BankDataset['holders']): BankDataset['holders'] {
  for (const holder of holders) {
    const logins = new Set<string>();
    for (const { customer, accounts } of holder.customers) {
      if (logins.has(customer))
        throw new DatasetError(`customer ${logins.size}`, 'has a log-in that occurred before');
      logins.add(customer);
      const ids = new Set(accounts.map((account) => account.accountId));
      if (ids.size < accounts.length)
        throw new DatasetError(`customer ${logins.size - 1}`, 'has an account id twice');
    }
  }
  return holders;
}

/**
 * Reads a bank data file for the simulator.
 * @throws Error whose message says what is wrong with the file and where in it
 */
export async function readBankData(path: string): Promise<BankDataset> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`The data file cannot be read: ${error instanceof Error ? error.message : path}.`);
  }
  try {
    return loadBankDataset(JSON.parse(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is of another shape';
    throw new Error(`${path} is not a bank data file: ${why}`, { cause: error });
  }
}
