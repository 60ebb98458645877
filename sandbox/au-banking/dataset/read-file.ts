import { readFile } from 'node:fs/promises';
import type { BankDataset } from './bank-dataset.ts';
import { loadBankDataset } from './load.ts';

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
