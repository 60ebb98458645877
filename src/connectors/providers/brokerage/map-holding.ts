import { hash } from 'node:crypto';
import type { AssetType, Holding } from '../../../vocabulary/holdings.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import {
  amountIn,
  canonical,
  decimal,
  difference,
  optionalDecimal,
  plainDecimal,
  product,
} from '../kit/decimal.ts';
import { idText, inner, text, type WireObject } from '../kit/json.ts';
import { UnusableMember } from '../kit/set-aside.ts';

/** Kinds whose units are contracts for several of something. */
const CONTRACTS: ReadonlySet<string> = new Set(['option', 'future']);
/** The vendor's kinds of instruments, as its API describes them. */
const ASSET_TYPES: ReadonlyMap<string, AssetType> = new Map<string, AssetType>([
  ['stock', 'stock'],
  ['adr', 'adr'],
  ['etf', 'etf'],
  ['mutualfund', 'mutual_fund'],
  ['cef', 'closed_end_fund'],
  ['crypto', 'crypto'],
  ['option', 'option'],
  ['future', 'future'],
  ['cfd', 'cfd'],
]);
/** The size of an option contract if the broker does not say: the standard of its exchanges. */
const STANDARD_OPTION = '100';

/** The context of a row. */
export interface HoldingContext {
  readonly account: string;
  /** For a row that names none, or is priced in a coin. */
  readonly currency: string;
}

/** The currency a position names, as sent; null if it names none. */
export function namedCurrency(row: WireObject): string | null {
  const instrument = inner(row, 'instrument');
  return text(row, 'currency') ?? (instrument === null ? null : text(instrument, 'currency'));
}

/** The same for the same position, whatever its current value: what is held, and in which currency. */
export function positionIdentity(row: WireObject): string {
  const instrument = inner(row, 'instrument') ?? {};
  const units = plainDecimal(text(row, 'units') ?? '');
  const id = idText(instrument, 'id') ?? text(instrument, 'symbol');
  return JSON.stringify([id, namedCurrency(row), canonical(units)]);
}

/** A position, with a key that distinguishes it from all other positions of the account except equal ones. */
export interface MappedHolding {
  readonly key: string;
  /** @param ordinal 1 for the first of equal positions */
  holding(ordinal: number): Holding;
}

/**
 * One position; null if the broker does not say how much is held. Prices in a coin whose name is not a currency code
 * are left out, as are others that cannot be read. Raises UnusableMember for a position without a security, or with an
 * unreadable amount.
 */
export function mapHolding(row: WireObject, context: HoldingContext): MappedHolding | null {
  const instrument = inner(row, 'instrument');
  if (instrument === null) throw new UnusableMember('symbol', 'missing');
  const instrumentId = idText(instrument, 'id') ?? text(instrument, 'symbol');
  if (instrumentId === null) throw new UnusableMember('symbol', 'missing');
  const quantity = decimal(row, 'quantity', 'units');
  if (quantity === null) return null;
  const kind = text(instrument, 'kind');
  const named = namedCurrency(row);
  const currency = named === null ? context.currency : currencyCode(named);
  const price = optionalDecimal(row, 'price');
  const cost = optionalDecimal(row, 'cost_basis');
  const contract = contractSize(kind, instrument);
  // Brokers disagree on whether the cost of an option is per share or per contract.
  const gain = kind === 'option' ? null : difference(price, cost);
  const side = quantity.startsWith('-') ? 'short' : 'long';
  const key = JSON.stringify([context.account, instrumentId, named, side]);
  const shown = {
    symbol: text(instrument, 'symbol'),
    name: text(instrument, 'description'),
    exchange: text(instrument, 'exchange'),
    asset_type: kind === null ? null : (ASSET_TYPES.get(kind) ?? 'other'),
    currency: currency ?? context.currency,
    quantity,
    average_price: amountIn(cost, currency),
    current_price: amountIn(price, currency),
    market_value: amountIn(product([quantity, price, contract]), currency),
    unrealized_pnl: amountIn(product([gain, quantity, contract]), currency),
  };
  return { key, holding: (ordinal) => ({ id: holdingId(key, ordinal), ...shown }) };
}

/** The multiple of its price that a unit is worth; null if a future does not say, or it cannot be read. */
function contractSize(kind: string | null, instrument: WireObject): string | null {
  if (!CONTRACTS.has(kind ?? '')) return '1';
  if (instrument.multiplier != null) return optionalDecimal(instrument, 'multiplier');
  return kind === 'option' ? STANDARD_OPTION : null;
}

function holdingId(key: string, ordinal: number): string {
  const digest = hash('sha256', key, 'hex').slice(0, 32);
  return providerRowId('holding', 'brokerage', ordinal === 1 ? digest : `${digest}-${ordinal}`);
}
