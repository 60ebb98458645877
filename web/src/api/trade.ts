import type { Static } from 'typebox';
import type { tradeSchema } from '../../../src/operations/schemas/trades.ts';

export type Trade = Static<typeof tradeSchema>;
