import { Type } from 'typebox';
import { BALANCE_SIGNS } from '../../vocabulary/balance-signs.ts';
import { BALANCE_FIELDS, SET_ASIDE_REASONS } from '../../vocabulary/set-aside-rows.ts';
import {
  currency,
  idOf,
  livemode,
  moneySchema,
  nullable,
  oneOf,
  resource,
  timestamp,
} from './conventions.ts';

export const FRESHNESS = ['fresh', 'stale', 'unavailable'] as const;

/** docs/resources.md#balance. */
export const balanceSchema = resource('balance', {
  object: Type.Literal('balance'),
  account: idOf('account'),
  current: nullable(moneySchema),
  available: nullable(moneySchema),
  currency: nullable(currency),
  observed_at: nullable(timestamp),
  freshness: nullable(oneOf(FRESHNESS)),
  retry_after_seconds: nullable(Type.Integer({ minimum: 0 })),
  unreadable: nullable(
    Type.Object(
      { field: oneOf(BALANCE_FIELDS), reason: oneOf(SET_ASIDE_REASONS) },
      { additionalProperties: false },
    ),
  ),
  balance_sign: nullable(oneOf(BALANCE_SIGNS)),
  livemode,
});
