import { centsText } from '../../shared/decimal.ts';
import { digest, mix32, seedOf, unmix32 } from '../../shared/random.ts';
import { correctedCategory } from '../categories.ts';
import { HIGH_STREET } from '../personas/merchants.ts';
import { utcText } from './moment.ts';
import { firstIndex, isAfter, type RowFilter, type RowFrame, type RowSource } from './source.ts';

const PERIOD = 4096;
const ID_PREFIX = 'bank_tx_';
const HEX = Array.from({ length: 65536 }, (_, value) => value.toString(16).padStart(4, '0'));
/** The spread of a computed statement: inside any six-month window. */
const SPAN_MS = 150 * 86_400_000;

type Template = {
  readonly secondary: string;
  readonly lead: string;
  readonly tail: string;
  readonly category: string;
};

/**
 * A statement of any length whose rows are functions of their index (0 = newest), so that neither memory nor
 * the cost of a page depends on its length. All rows are posted and spread evenly over 150 days before `anchor`.
 */
export class ComputedRows {
  readonly count: number;
  /** Exact total of all amounts. */
  readonly total: string;
  readonly #anchor: number;
  readonly #seed: number;
  readonly #keys: readonly number[];
  readonly #amounts: readonly string[];
  readonly #templates: readonly Template[];
  readonly #corrections = new Map<number, string>();

  constructor(scope: string, count: number, anchor: number) {
    this.count = count;
    this.#anchor = anchor;
    this.#seed = seedOf('computed', scope);
    const key = digest('computed', scope);
    this.#keys = Array.from({ length: 8 }, (_, word) =>
      Number.parseInt(key.slice(word * 8, word * 8 + 8), 16),
    );
    const cents = Array.from({ length: PERIOD }, (_, slot) => centsOf(mix32(this.#seed ^ slot)));
    this.#amounts = cents.map(centsText);
    this.#templates = HIGH_STREET.map((merchant) => ({
      secondary: merchant.category.secondary_category,
      category: JSON.stringify(merchant.category),
      lead: `"type":"PAYMENT","description":${JSON.stringify(merchant.statement)},`,
      tail:
        `"merchant_name":${JSON.stringify(merchant.name)},"merchant_category_code":"${merchant.mcc}",` +
        '"biller_code":null,"biller_name":null,"crn":null,"apca_number":null,"is_detail_available":false,',
    }));
    const wholePeriods = Math.floor(count / PERIOD);
    const periodSum = cents.reduce((sum, cent) => sum + cent, 0);
    const rest = cents.slice(0, count % PERIOD).reduce((sum, cent) => sum + cent, 0);
    this.total = centsText(wholePeriods * periodSum + rest);
  }

  /** Epoch ms of the row at an index; falls as the index grows. */
  timeAt(index: number): number {
    return this.#anchor - Math.floor((index * SPAN_MS) / this.count / 1000) * 1000;
  }

  /** The vendor id of the row at an index; only the last word encodes the index, see {@link indexOf}. */
  idAt(index: number): string {
    let id = ID_PREFIX;
    for (let word = 0; word < 7; word++) {
      const value = mix32(mix32(index ^ (this.#keys[word] ?? 0)) + word);
      id += (HEX[value >>> 16] ?? '') + (HEX[value & 0xffff] ?? '');
    }
    const last = mix32(index ^ (this.#keys[7] ?? 0));
    return id + (HEX[last >>> 16] ?? '') + (HEX[last & 0xffff] ?? '');
  }

  /** The index of a row id, or null when it is not a row of this statement. */
  indexOf(fiskilId: string): number | null {
    const index = (unmix32(Number.parseInt(fiskilId.slice(-8), 16)) ^ (this.#keys[7] ?? 0)) >>> 0;
    return index < this.count && this.idAt(index) === fiskilId ? index : null;
  }

  correctCategory(fiskilId: string, secondary: string): boolean {
    const index = this.indexOf(fiskilId);
    if (index === null) return false;
    this.#corrections.set(index, secondary);
    return true;
  }

  source(key: string, accountId: string, currency: string, frame: RowFrame): RowSource {
    const owner =
      `","account_id":${JSON.stringify(accountId)},"arrangement_id":${JSON.stringify(frame.arrangementId)},` +
      `"institution_id":${JSON.stringify(frame.institutionId)},"amount":"`;
    const middle = `","currency":"${currency}","status":"POSTED",`;
    return {
      key,
      open: (after, filter) => {
        let index = this.#enter(key, after, filter);
        const end = this.#leave(filter);
        const skip = (): void => {
          while (filter.categories && index < end && !filter.categories.has(this.#secondary(index)))
            index += 1;
        };
        skip();
        const timeAt = (at: number): number => this.timeAt(at);
        return {
          get time() {
            return index < end ? timeAt(index) : null;
          },
          get position() {
            return index;
          },
          json: () => this.#json(index, owner, middle),
          advance() {
            index += 1;
            skip();
          },
        };
      },
    };
  }

  #enter(key: string, after: Parameters<RowSource['open']>[0], filter: RowFilter): number {
    if (filter.status === 'PENDING') return this.count;
    const { to } = filter;
    const bound = to === null ? 0 : firstIndex(this.count, (at) => this.timeAt(at) <= to);
    const resume = after ? firstIndex(this.count, (at) => isAfter(after, this.timeAt(at), key, at)) : 0;
    return Math.max(bound, resume);
  }

  #leave(filter: RowFilter): number {
    const { from } = filter;
    return from === null ? this.count : firstIndex(this.count, (at) => this.timeAt(at) < from);
  }

  #template(index: number): Template | undefined {
    return this.#templates[mix32(this.#seed + index) % this.#templates.length];
  }

  #secondary(index: number): string {
    return this.#corrections.get(index) ?? this.#template(index)?.secondary ?? '';
  }

  #json(index: number, owner: string, middle: string): string {
    const template = this.#template(index);
    const corrected = this.#corrections.size > 0 ? this.#corrections.get(index) : undefined;
    const time = utcText(this.timeAt(index));
    const amount = this.#amounts[index % PERIOD] ?? '0.00';
    return (
      `{"fiskil_id":"${this.idAt(index)}","transaction_id":"${this.#seed}-${index}${owner}${amount}${middle}` +
      `${template?.lead ?? ''}"reference":"${index}","posting_date_time":"${time}",` +
      `"execution_date_time":"${time}","value_date_time":null,${template?.tail ?? ''}` +
      `"category":${corrected === undefined ? template?.category : JSON.stringify(correctedCategory(corrected))}}`
    );
  }
}

/** Purchases of 1.00 to 250.99; one row in sixteen is money in, so both signs occur. */
function centsOf(scatter: number): number {
  const cents = 100 + (scatter % 25_000);
  return scatter >>> 28 === 0 ? cents : -cents;
}
