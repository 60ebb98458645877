import { hash } from 'node:crypto';
import type { Trade, TradeType } from '../../../vocabulary/holdings.ts';
import {
  isLocalDate,
  isMoment,
  isTimeZone,
  type LocalDate,
  localDateAt,
  parseInstant,
} from '../../../vocabulary/moments.ts';
import { currencyCode } from '../../../vocabulary/money.ts';
import { providerRowId } from '../../../vocabulary/provider-kinds.ts';
import { amountIn, canonical, decimal, optionalDecimal, product } from '../kit/decimal.ts';
import { idText, inner, isSent, text, type WireObject } from '../kit/json.ts';
import { type RowFace, UnusableMember } from '../kit/set-aside.ts';

/** The vendor's types, a growing list: any other is `other` (docs/adding-a-provider.md#types-of-trades). */
const TYPES: ReadonlyMap<string, TradeType> = new Map([
  ['BUY', 'buy'],
  ['REI', 'buy'],
  ['SELL', 'sell'],
  ['DIVIDEND', 'dividend'],
  ['SUBSTITUTE_DIVIDEND', 'dividend'],
  ['DISTRIBUTION', 'dividend'],
  ['RETURN_OF_CAPITAL', 'dividend'],
  ['SPLIT', 'split'],
  ['REVERSE_SPLIT', 'split'],
  ['STOCK_DIVIDEND', 'split'],
  ['CONTRIBUTION', 'transfer'],
  ['WITHDRAWAL', 'transfer'],
  ['TRANSFER', 'transfer'],
  ['FEE', 'fee'],
  ['TAX', 'fee'],
  ['INTEREST', 'interest'],
]);
const TRANSFER = /(?:^|_)TRANSFER(?:_|$)/;

/** Our type for a vendor's type, in upper or lower case. */
function tradeType(sent: string): TradeType {
  const type = sent.toUpperCase();
  return TYPES.get(type) ?? (TRANSFER.test(type) ? 'transfer' : 'other');
}

/** Midnight UTC, which is how the vendor writes a day. */
const DAY_ONLY = /^(\d{4}-\d{2}-\d{2})(?:T00:00(?::00(?:\.0+)?)?(?:Z|\+00:00)?)?$/;

/** A time without a zone: the vendor's are in UTC. */
const NO_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/;

/** Types whose total follows from units and price, so that an amount of 0 means that the broker left it out. */
const PRICED: ReadonlySet<TradeType> = new Set(['buy', 'sell']);

/** The context of a row. */
export interface TradeContext {
  /** For times at an exchange whose zone the vendor does not give. */
  readonly timezone: string;
  /** For a row that names none, or is priced in a coin. */
  readonly currency: string;
}

/** A trade, with a key of its content: rows with the same content are numbered. */
export interface MappedTrade {
  readonly content: string;
  /** Distinguishes rows with the same content by the rest, in whatever order the vendor sends them. */
  readonly rest: string;
  /** @param ordinal 1 for the first row with that content */
  trade(ordinal: number): Trade;
}

interface WireMoment {
  readonly day: LocalDate;
  /** As sent; null if only a day was sent. */
  readonly instant: string | null;
  /** The same for the same time, however it is written. */
  readonly key: string;
}

/** The currency that an activity or its security names, as sent; null if neither does. */
export function namedCurrency(row: WireObject): string | null {
  const own = codeIn(row);
  if (own !== null) return own;
  // Priced in a security instead of a currency.
  const quote = inner(row, 'currency_universal_symbol');
  if (quote !== null) return text(quote, 'symbol') ?? 'unnamed';
  const symbol = inner(row, 'symbol');
  return symbol === null ? null : codeIn(symbol);
}

function codeIn(object: WireObject): string | null {
  const currency = inner(object, 'currency');
  return currency === null ? text(object, 'currency') : text(currency, 'code');
}

/** The vendor's id of a row, which changes when the vendor reads its statement again; null without one. */
export function activityId(row: WireObject): string | null {
  return idText(row, 'id');
}

/** The day by which the vendor orders and filters; null for a row without a readable one. */
export function activityDay(row: WireObject): string | null {
  const moment = momentOf(row, 'trade_date') ?? momentOf(row, 'settlement_date');
  return moment === null ? null : moment.key.slice(0, 'YYYY-MM-DD'.length);
}

/** What is known about an activity that cannot be shown: its id is derived from what cannot be read. */
export function faceOf(row: WireObject): RowFace {
  const moment = momentOf(row, 'trade_date') ?? momentOf(row, 'settlement_date');
  return { id: null, day: moment?.day ?? null };
}

/**
 * One activity. The id is derived from the content, because the vendor's own changes when it reads a statement again.
 * Raises UnusableMember for an invalid decimal in the content, and for a row without any date.
 */
export function mapTrade(row: WireObject, context: TradeContext): MappedTrade {
  const settled = momentOf(row, 'settlement_date');
  const own = momentOf(row, 'trade_date');
  if (own === null && isSent(row.trade_date)) throw new UnusableMember('trade_date', 'unreadable');
  const traded = own ?? settled;
  if (traded === null) throw new UnusableMember('trade_date', 'missing');
  const symbol = inner(row, 'symbol');
  const option = inner(row, 'option_symbol');
  const underlying = option === null ? null : inner(option, 'underlying_symbol');
  const zone = zoneOf(symbol ?? underlying, context.timezone);
  const ticker = (symbol && text(symbol, 'symbol')) ?? (option && text(option, 'ticker')) ?? null;
  const sentType = text(row, 'type') ?? '';
  const type = tradeType(sentType);
  const named = namedCurrency(row);
  const currency = named === null ? context.currency : currencyCode(named);
  const units = decimal(row, 'quantity', 'units');
  const price = decimal(row, 'price', 'price');
  const amount = decimal(row, 'total_amount', 'amount');
  const fee = optionalDecimal(row, 'fee');
  const isCounted = amount !== null && (Number(amount) !== 0 || !PRICED.has(type));
  const total = isCounted ? amount : option === null ? derivedTotal(type, units, price) : null;
  const totalAmount = amountIn(total, currency);
  if (total !== null && currency !== null && totalAmount === null)
    throw new UnusableMember('total_amount', 'out_of_range');
  const content = JSON.stringify([
    traded.key,
    ticker ?? '',
    sentType.toUpperCase(),
    canonical(units),
    canonical(price),
    canonical(amount),
  ]);
  const shown = {
    symbol: ticker,
    name: symbol === null ? null : text(symbol, 'description'),
    type,
    quantity: units,
    price: amountIn(price, currency),
    currency: currency ?? context.currency,
    total_amount: totalAmount,
    fees: amountIn(fee?.replace(/^-/, '') ?? null, currency),
    trade_date: dayIn(traded, zone),
    trade_datetime: traded.instant,
    settlement_date: settled === null ? null : dayIn(settled, zone),
    settlement_datetime: settled?.instant ?? null,
    description: text(row, 'description'),
  };
  const rest = JSON.stringify([shown.currency, shown.description, shown.settlement_date, canonical(fee)]);
  return { content, rest, trade: (ordinal) => ({ id: tradeId(content, ordinal), ...shown }) };
}

/**
 * The total of a purchase or sale if the broker does not give one: a purchase is paid from the account and a sale to
 * it, whichever sign the broker gives the units sold. Null for a purchase of negative units, which may be a correction.
 */
function derivedTotal(type: TradeType, units: string | null, price: string | null): string | null {
  if (units === null || price === null || !PRICED.has(type)) return null;
  if (type === 'sell') return product([units.replace(/^-/, ''), price]);
  return units.startsWith('-') ? null : product([units, price, '-1']);
}

/** With the prefix that v1 shows (docs/compatibility.md). */
function tradeId(content: string, ordinal: number): string {
  const digest = `snap_${hash('sha256', content, 'hex').slice(0, 32)}`;
  return providerRowId('trade', 'brokerage', ordinal === 1 ? digest : `${digest}-${ordinal}`);
}

/** Null if it is absent or unreadable. */
function momentOf(row: WireObject, name: string): WireMoment | null {
  const sent = text(row, name);
  if (sent === null) return null;
  const day = DAY_ONLY.exec(sent)?.[1];
  if (day !== undefined && isLocalDate(day))
    return isMoment(Date.parse(day)) ? { day, instant: null, key: day } : null;
  const instant = NO_OFFSET.test(sent) ? `${sent.replace(' ', 'T')}Z` : sent;
  const at = parseInstant(instant);
  return at === null ? null : { day: localDateAt(at, 'UTC'), instant, key: new Date(at).toISOString() };
}

/** The zone that determines the day of a time: the exchange's, else the account's. */
function zoneOf(symbol: WireObject | null, timezone: string): string {
  const exchange = symbol === null ? null : inner(symbol, 'exchange');
  const zone = exchange === null ? null : text(exchange, 'timezone');
  return zone !== null && isTimeZone(zone) ? zone : timezone;
}

/** A day sent as such is that day everywhere; a time falls on its day in the zone. */
function dayIn({ day, instant }: WireMoment, timezone: string): LocalDate {
  const at = instant === null ? null : parseInstant(instant);
  return at === null ? day : localDateAt(at, timezone);
}
