import type { Static } from 'typebox';
import type { accountSchema } from '../../../src/operations/schemas/accounts.ts';

export type Account = Static<typeof accountSchema>;
