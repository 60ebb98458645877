import { hash } from 'node:crypto';
import { plainText } from '../../../platform/shared-row-ids.ts';
import type { Holding, Trade } from '../../../vocabulary/holdings.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { RuledRow, RuledTransaction } from '../read/source-row.ts';

const MAC_BYTES = 12;
const PAIR_DIGITS = 8;

export interface ContentOptions {
  readonly place: readonly (string | null)[];
  readonly fields: readonly string[] | null;
  readonly generation: number;
}

/**
 * What the ledger keeps instead of a row: a keyed MAC of 96 bits, under a key of the destination's own. Amounts have so
 * little entropy that a plain hash could be reversed by trying them all.
 *
 * SHA-256 over one whole block of key and then the text with its length before it. No such input is the beginning of
 * another, and for those the hash keyed through its first block is as good a MAC as its compression function is
 * (Bellare, Canetti, Krawczyk 1996, the cascade); half of the state also stays hidden. HMAC would protect inputs of any
 * form at twice the cost.
 */
export class RowMacs {
  /** 64 characters: a block of SHA-256. */
  readonly #keyBlock: string;

  constructor(key: Buffer) {
    this.#keyBlock = hash('sha256', key, 'hex');
  }

  /**
   * Distinguishes changed from unchanged rows: over everything that any destination may show of them. `place` is where
   * inside the destination the row goes, `fields` which fields its owner chose (RowPlaces), and `generation` how many
   * resyncs there were (DeliveryStream).
   */
  content(row: RuledRow, { place, fields, generation }: ContentOptions): string {
    // Only if there are any, so that rows with the standard columns keep their MACs.
    const chosen = [...(fields === null ? [] : [{ fields }]), ...(generation === 0 ? [] : [{ generation }])];
    if (row.kind === 'trade') return this.#mac(tradeText(row.trade, chosen));
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
        // Only if there are any, so that rows without rules and mappings keep their MACs.
        ...(row.memo === null && row.tags.length === 0 && place.length === 0 ? [] : [row.memo, row.tags]),
        ...(place.length === 0 ? [] : [place]),
        ...chosen,
      ])}`,
    );
  }

  /** Equal for a pending row and the posted row it becomes, over what the two have in common. */
  match(row: RuledTransaction): string {
    const { amount, currency } = row.source.amount;
    return this.#mac(`match:${currency}:${amount}`);
  }

  /**
   * 8 hexadecimal digits, equal for rows that may be the same row under two ids: over amount, currency and the letters
   * and digits of the text. Two other rows share them by chance once in four billion, and their days have to match as
   * well.
   */
  pair({ amount: { amount, currency }, description }: Transaction): string {
    return this.#mac(`pair:${currency}:${amount}:${plainText(description)}`).slice(0, PAIR_DIGITS);
  }

  /** The same as `content`, for a position. */
  holding(holding: Holding): string {
    return this.#mac(holdingText(holding));
  }

  /** Recognises an unreadable row without an id, by a hash of it as it was received. */
  aside(digest: string): string {
    return this.#mac(`aside:${digest}`);
  }

  #mac(text: string): string {
    return hash('sha256', `${this.#keyBlock}${text.length}:${text}`, 'hex').slice(0, MAC_BYTES * 2);
  }
}

function tradeText(trade: Trade, more: readonly unknown[]): string {
  return `trade:${JSON.stringify([
    trade.symbol,
    trade.name,
    trade.type,
    trade.quantity,
    trade.currency,
    trade.price?.decimal,
    trade.total_amount?.decimal,
    trade.fees?.decimal,
    trade.trade_date,
    trade.trade_datetime,
    trade.settlement_date,
    trade.settlement_datetime,
    trade.description,
    ...more,
  ])}`;
}

function holdingText(holding: Holding): string {
  return `holding:${JSON.stringify([
    holding.symbol,
    holding.name,
    holding.exchange,
    holding.currency,
    holding.quantity,
    holding.average_price?.decimal,
    holding.current_price?.decimal,
    holding.market_value?.decimal,
    holding.unrealized_pnl?.decimal,
  ])}`;
}
