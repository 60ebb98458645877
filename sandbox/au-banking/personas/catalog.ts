import { HOUSEHOLD, PENDING_HEAVY } from './household.ts';
import { CREDIT_CARD, MORTGAGE, TERM_DEPOSIT } from './lending.ts';
import { DORMANT, FOREIGN, rowsPersona, SOLE_TRADER } from './others.ts';
import type { Persona } from './plan.ts';

/** The people of every persona bank, in the order of the log-in page. */
export const PERSONAS: readonly Persona[] = [
  HOUSEHOLD,
  SOLE_TRADER,
  MORTGAGE,
  TERM_DEPOSIT,
  CREDIT_CARD,
  FOREIGN,
  DORMANT,
  PENDING_HEAVY,
  rowsPersona('ten-thousand-rows', 10_000),
];

/** Rows are addressed by 32-bit indexes; this leaves room and still exceeds any real statement. */
export const MAX_ROWS = 50_000_000;

/** A persona by its log-in; `rows:N` makes one with N rows. Null for anyone else. */
export function personaOf(customer: string): Persona | null {
  const known = PERSONAS.find((persona) => persona.customer === customer);
  if (known) return known;
  const match = /^rows:(\d{1,9})$/.exec(customer);
  const count = Number(match?.[1]);
  return match && count > 0 && count <= MAX_ROWS ? rowsPersona(customer, count) : null;
}
