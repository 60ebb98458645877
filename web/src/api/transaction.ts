import type { Static } from 'typebox';
import type { transactionSchema } from '../../../src/operations/v2/transactions/resource.ts';

export type Transaction = Static<typeof transactionSchema>;
