import type { Static } from 'typebox';
import type { tradeSchema } from '../../../src/operations/v2/trades.ts';

export type Trade = Static<typeof tradeSchema>;
