import type { Static } from 'typebox';
import type { holdingSchema } from '../../../src/operations/schemas/holdings.ts';

export type Holding = Static<typeof holdingSchema>;
