import { currencyJson, type Instrument, optionJson, symbolJson } from './instrument.ts';
import { figure, type WireObject } from './wire-json.ts';

/** One row of an account's history. Figures are decimals. */
export type Activity = {
  /** The vendor's id, which changes when it reads a statement again. */
  readonly id: string;
  /** A day as midnight UTC, or the time: brokers differ. */
  readonly tradeDate: string;
  readonly settlementDate: string | null;
  readonly type: string;
  readonly instrument: Instrument | null;
  /** The unit of price and amount, if it is not a currency. */
  readonly quote: Instrument | null;
  readonly currency: string | null;
  readonly units: string | null;
  readonly price: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly description: string;
};

export function activityJson(activity: Activity, institution: string): WireObject {
  const { instrument, quote, currency } = activity;
  const isOption = instrument !== null && instrument.kind === 'option';
  return {
    id: activity.id,
    symbol: instrument === null || isOption ? null : symbolJson(instrument),
    option_symbol: isOption ? optionJson(instrument) : null,
    currency_universal_symbol: quote === null ? null : symbolJson(quote),
    price: figure(activity.price ?? '0'),
    units: figure(activity.units ?? '0'),
    amount: figure(activity.amount),
    currency: currency === null ? null : currencyJson(currency),
    type: activity.type,
    option_type: isOption ? (activity.type === 'SELL' ? 'SELL_TO_OPEN' : 'BUY_TO_OPEN') : '',
    description: activity.description,
    trade_date: activity.tradeDate,
    ...(activity.settlementDate === null ? {} : { settlement_date: activity.settlementDate }),
    fee: figure(activity.fee ?? '0'),
    fx_rate: null,
    institution,
    external_reference_id: null,
  };
}
