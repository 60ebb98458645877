import type { Static } from 'typebox';
import type { accountSchema } from '../../../src/operations/v2/accounts/resource.ts';

export type Account = Static<typeof accountSchema>;
