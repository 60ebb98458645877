import { Type } from 'typebox';
import { livemode, moneySchema, nullable, oneOf, resource, timestamp } from './conventions.ts';

export const FRESHNESS = ['fresh', 'stale', 'unavailable'] as const;

/** docs/resources.md#balance. */
export const balanceSchema = resource('balance', {
  object: Type.Literal('balance'),
  account: Type.String(),
  current: nullable(moneySchema),
  available: nullable(moneySchema),
  currency: nullable(Type.String({ pattern: '^[a-z]{3}$' })),
  observed_at: nullable(timestamp),
  freshness: nullable(oneOf(FRESHNESS)),
  retry_after_seconds: nullable(Type.Integer({ minimum: 0 })),
  livemode,
});
