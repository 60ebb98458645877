import type { Static } from 'typebox';
import type { holdingSchema } from '../../../src/operations/v2/holdings.ts';

export type Holding = Static<typeof holdingSchema>;
