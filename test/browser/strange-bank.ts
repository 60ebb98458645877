import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchDirectory } from '../support/scratch.ts';
import type { TestOwner } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';

const DAY_MS = 86_400_000;

interface BankNames {
  readonly institution: string;
  /** The nickname of each of its accounts. */
  readonly account: string;
}

/** The only customer of the bank. */
export const STRANGE_CUSTOMER = 'somebody';

/**
 * A file for `SANDBOX_DATA` with a bank of that name, whose rows are of several accounts, so that each names its own.
 */
export async function strangeBankFile(names: BankNames): Promise<string> {
  const file = join(await scratchDirectory(), 'bank.json');
  await writeFile(file, JSON.stringify(strangeBank(names)));
  return file;
}

function strangeBank({ institution, account }: BankNames): unknown {
  const at = new Date(Date.now() - DAY_MS).toISOString();
  const accounts = ['everyday', 'savings'].map((accountId) => ({
    account: {
      accountId,
      displayName: 'Everyday',
      nickname: account,
      productName: 'Everyday',
      productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS',
      openStatus: 'OPEN',
    },
    transactions: [
      {
        transactionId: accountId,
        status: 'POSTED',
        type: 'PAYMENT',
        amount: '-12.00',
        description: 'Coffee beans',
        postingDateTime: at,
        executionDateTime: at,
      },
    ],
  }));
  const customers = [{ customerId: STRANGE_CUSTOMER, banking: { accounts } }];
  return { holders: [{ holderId: institution, holder: { authenticated: { customers } } }] };
}

/** The id of the bank of that name. */
export async function strangeBankId(owner: TestOwner, institution: string): Promise<string> {
  const { body } = await owner.v2('GET', '/v2/institutions?provider=au_banking&limit=100');
  const bank = body.data.find(({ name }: Json) => name.includes(institution));
  return bank?.id ?? assert.fail('the bank is there under its name');
}
