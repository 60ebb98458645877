import { hash } from 'node:crypto';
import type { RuledRow } from './row-rules.ts';

const MAC_BYTES = 16;
const DAY_MS = 86_400_000;

/**
 * What the ledger keeps instead of a row: a keyed MAC of 128 bits, under a key of the destination's own. Amounts have so
 * little entropy that a plain hash could be turned back by trying them all.
 *
 * SHA-256 over one whole block of key and then the text with its length before it. No such input is the beginning of
 * another, and for those the hash keyed through its first block is as good a MAC as its compression function is
 * (Bellare, Canetti, Krawczyk 1996, the cascade); half of the state stays unseen besides. HMAC would guard inputs of
 * any shape at twice the time.
 */
export class RowMacs {
  /** 64 characters: a block of SHA-256. */
  readonly #keyBlock: string;

  constructor(key: Buffer) {
    this.#keyBlock = hash('sha256', key, 'hex');
  }

  /** Tells an unchanged row from a changed one: over everything that any destination may show of it. */
  content(row: RuledRow): string {
    const { transaction } = row;
    return this.#mac(
      `content:${JSON.stringify([
        transaction.status,
        transaction.date,
        transaction.datetime,
        transaction.post_date,
        transaction.post_datetime,
        transaction.value_date,
        transaction.value_datetime,
        transaction.description,
        transaction.reference,
        transaction.extended_description,
        transaction.amount.amount,
        transaction.amount.currency,
        transaction.class,
        transaction.provider_category,
        transaction.primary_category,
        transaction.merchant_name,
        transaction.merchant_category_code,
        row.customCategory,
        // Only where there are any, so that rows without rules keep the MACs they have.
        ...(row.memo === null && row.tags.length === 0 ? [] : [row.memo, row.tags]),
      ])}`,
    );
  }

  /** Equal for a pending row and the posted row it becomes, as far as the two have anything in common. */
  match(row: RuledRow): string {
    const { amount, currency } = row.source.amount;
    return this.#mac(`match:${currency}:${amount}`);
  }

  #mac(text: string): string {
    return hash('sha256', `${this.#keyBlock}${text.length}:${text}`, 'hex').slice(0, MAC_BYTES * 2);
  }
}

/** The row's day as days since 1970, or null where the bank gave none. */
export function dayOf(row: RuledRow): number | null {
  const date = row.transaction.date ?? row.transaction.post_date;
  return date === null ? null : Date.parse(date) / DAY_MS;
}
