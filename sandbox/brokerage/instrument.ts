import { uuidOf } from './identity.ts';
import type { WireObject } from './wire-json.ts';

export type InstrumentKind = 'stock' | 'etf' | 'mutualfund' | 'crypto' | 'option' | 'future' | 'other';

/** Something that can be held or traded. */
export type Instrument = {
  readonly kind: InstrumentKind;
  readonly symbol: string;
  readonly name: string | null;
  readonly currency: string | null;
  readonly exchange: string | null;
  /** Of an option or future. */
  readonly contract?: {
    readonly multiplier: string | null;
    readonly expires: string;
    /** Of an option. */
    readonly strike?: string;
    readonly side?: 'CALL' | 'PUT';
    readonly underlying?: Instrument;
  };
};

const CURRENCY_NAMES: Readonly<Record<string, string>> = { USD: 'US Dollar', CAD: 'Canadian Dollar' };
const EXCHANGE_ZONES: Readonly<Record<string, string>> = {
  XTSE: 'America/Toronto',
  XCME: 'America/Chicago',
  XLON: 'Europe/London',
  XASX: 'Australia/Sydney',
};
const SECURITY_TYPES: Readonly<Record<InstrumentKind, readonly [code: string, description: string]>> = {
  stock: ['cs', 'Common Stock'],
  etf: ['et', 'ETF'],
  mutualfund: ['oef', 'Open Ended Fund'],
  crypto: ['crypto', 'Cryptocurrency'],
  option: ['op', 'Option'],
  future: ['fut', 'Future'],
  other: ['struct', 'Structured Product'],
};

export function currencyJson(code: string): WireObject {
  return { id: uuidOf('currency', code), code, name: CURRENCY_NAMES[code] ?? code };
}

/** In the form of the list of positions. */
export function instrumentJson(instrument: Instrument): WireObject {
  const { kind, symbol, name, currency, exchange, contract } = instrument;
  const id = uuidOf('instrument', kind, symbol);
  const raw = symbol.replace(/\..*$/, '');
  if (kind === 'option')
    return {
      kind,
      id,
      symbol,
      option_type: contract?.side ?? 'CALL',
      strike_price: contract?.strike ?? '0',
      expiration_date: contract?.expires ?? '2030-01-18',
      multiplier: contract?.multiplier ?? '100',
      description: name,
      underlying: contract?.underlying === undefined ? {} : instrumentJson(contract.underlying),
    };
  if (kind === 'future')
    return {
      kind,
      id,
      symbol,
      root_symbol: raw.slice(0, 2),
      expiration_code: raw.slice(2),
      expiration_date: contract?.expires ?? null,
      multiplier: contract?.multiplier ?? null,
      currency,
      exchange,
    };
  return {
    kind,
    id,
    symbol,
    raw_symbol: raw,
    description: name,
    currency,
    exchange,
    figi_instrument: null,
  };
}

/** In the form of an activity. */
export function symbolJson({ kind, symbol, name, currency, exchange }: Instrument): WireObject {
  const code = currency ?? 'USD';
  const [type, description] = SECURITY_TYPES[kind];
  return {
    id: uuidOf('symbol', kind, symbol),
    symbol,
    raw_symbol: symbol.replace(/\..*$/, ''),
    description: name,
    currency: currencyJson(code),
    exchange: {
      id: uuidOf('exchange', exchange ?? ''),
      code: exchange ?? 'OTC',
      mic_code: exchange,
      name: exchange ?? 'Over the counter',
      timezone: EXCHANGE_ZONES[exchange ?? ''] ?? 'America/New_York',
      start_time: '09:30:00',
      close_time: '16:00:00',
      suffix: null,
    },
    type: { id: uuidOf('type', type), code: type, description, is_supported: true },
    figi_code: null,
    figi_instrument: null,
  };
}

/** An option in the form of an activity. */
export function optionJson(option: Instrument): WireObject {
  const { contract, symbol } = option;
  return {
    id: uuidOf('option', symbol),
    ticker: symbol,
    option_type: contract?.side ?? 'CALL',
    strike_price: Number(contract?.strike ?? '0'),
    expiration_date: contract?.expires ?? '2030-01-18',
    is_mini_option: contract?.multiplier === '10',
    underlying_symbol: contract?.underlying === undefined ? {} : underlyingJson(contract.underlying),
  };
}

/** The underlying of an option, which the vendor describes with one more member. */
function underlyingJson(underlying: Instrument): WireObject {
  return { ...symbolJson(underlying), currencies: [currencyJson(underlying.currency ?? 'USD')] };
}
