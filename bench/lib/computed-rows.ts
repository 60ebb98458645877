import type {
  SourceAccount,
  SourceWindow,
  SyncSource,
} from '../../src/features/sync-engine/read/sync-source.ts';
import type { OwnerId, RowId } from '../../src/vocabulary/ids.ts';
import { addDays, localDate, localDateAt } from '../../src/vocabulary/moments.ts';
import type { Transaction } from '../../src/vocabulary/transactions.ts';

const PAGE = 500;
const DAYS = 700;
const ZONE = 'Australia/Sydney';

/** An account with that many posted rows of the last two years, computed as they are read and not kept. */
export function computedRows(rows: number): SyncSource {
  const today = localDateAt(Date.now(), ZONE);
  const rowAt = (at: number): Transaction => {
    const date = addDays(today, -1 - Math.floor((at * DAYS) / rows));
    const cents = -(100 + (at % 90_000));
    return {
      id: `txn_fk_bench_${String(at).padStart(7, '0')}`,
      status: 'posted',
      date,
      datetime: `${date}T10:00:00+10:00`,
      post_date: date,
      post_datetime: `${date}T20:00:00+10:00`,
      value_date: null,
      value_datetime: null,
      description: `VISA PURCHASE CARD XX1234 SHOP ${at % 400} SYDNEY AU`,
      reference: `R${at}`,
      extended_description: null,
      amount: { amount: cents, currency: 'aud' },
      amount_decimal: (cents / 100).toFixed(2),
      direction: 'debit',
      class: 'payment',
      provider_category: 'FOOD_AND_DRINK_GROCERIES',
      primary_category: 'FOOD_AND_DRINK',
      merchant_name: `Shop ${at % 400}`,
      merchant_category_code: '5411',
    };
  };
  async function* pages(window: SourceWindow): AsyncGenerator<readonly Transaction[]> {
    for (let at = 0; at < rows; at += PAGE) {
      await new Promise((resolve) => setImmediate(resolve));
      const page = Array.from({ length: Math.min(PAGE, rows - at) }, (_, index) => rowAt(at + index));
      yield page.filter(({ date }) => date !== null && date >= window.from && date <= window.to);
    }
  }
  return {
    open: async (_owner: OwnerId, id: RowId<'account'>): Promise<SourceAccount> => ({
      account: {
        id,
        name: 'Everyday',
        institution: 'Bench Bank',
        type: 'transaction',
        maskedNumber: 'xxxx1234',
      },
      timezone: ZONE,
      linkedAt: Date.parse('2020-01-01'),
      stored: false,
      history: async () => 'complete',
      pages,
      trades: async function* () {},
      holdings: async () => [],
      balance: async () => ({
        readAt: Date.now(),
        currency: 'aud',
        current: { amount: 0, currency: 'aud' },
        available: null,
      }),
    }),
  };
}

/** Earlier than every row of it. */
export const FIRST_DAY = localDate('2020-01-01');
