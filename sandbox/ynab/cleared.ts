import { type Static, Type } from 'typebox';

/** How far a transaction is agreed with the bank's statement. */
export const Cleared = Type.Union([
  Type.Literal('cleared'),
  Type.Literal('uncleared'),
  Type.Literal('reconciled'),
]);
export type Cleared = Static<typeof Cleared>;
