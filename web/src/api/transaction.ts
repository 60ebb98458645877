import type { Static } from 'typebox';
import type { transactionSchema } from '../../../src/operations/schemas/transactions.ts';

export type Transaction = Static<typeof transactionSchema>;
