import type { RowExport } from '../../../src/features/exports/row-export.ts';
import { plainRow } from '../../../src/features/sync-engine/read/source-row.ts';
import type { AccountType } from '../../../src/vocabulary/account-types.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { SetAsideRow } from '../../../src/vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';

export const EXPORTED_ACCOUNT = rowId('account', '01234567-89ab-7cde-8f01-23456789abcd');
export const signal = new AbortController().signal;

/** An export of accounts of these kinds, each with the rows in pages of two; `fails` after the pages of the last. */
export function exported(
  rows: readonly Transaction[],
  types: readonly AccountType[] = ['transaction'],
  fails = false,
  aside: SetAsideRow[] = [],
): RowExport {
  return {
    type: 'transactions',
    columns: null,
    takeTurn: () => ({ free: () => undefined }),
    accounts: types.map((type, at) => ({
      account: {
        id: EXPORTED_ACCOUNT,
        name: 'Everyday',
        institution: 'Test Bank',
        type,
        maskedNumber: 'xxxx1234',
      },
      window: { from: localDate('2026-10-01'), to: localDate('2026-10-31') },
      balance: async () => ({
        readAt: 0,
        currency: 'aud',
        current: { amount: -12345, currency: 'aud' },
        available: null,
      }),
      observedAt: () => 0,
      takeAside: () => aside.splice(0),
      asideCount: () => aside.length,
      async *pages() {
        for (let start = 0; start < rows.length; start += 2)
          yield rows.slice(start, start + 2).map((row) => plainRow(row));
        if (fails && at === types.length - 1) throw new ServiceError('upstream_unavailable');
      },
    })),
  };
}

export async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
