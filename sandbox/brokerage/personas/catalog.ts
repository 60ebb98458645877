import {
  CASH_ONLY,
  HIDDEN_HOLDINGS,
  MULTI_CURRENCY,
  NO_ACCOUNTS,
  NO_TRANSACTIONS,
  SELF_DIRECTED,
} from './investors.ts';
import type { Persona } from './plan.ts';
import { DAY_TRADER, DERIVATIVES, REFUSED, rowsPersona, SECOND_FACTOR } from './traders.ts';

/** The people of every broker, in the order of the sign-in page. */
export const PERSONAS: readonly Persona[] = [
  SELF_DIRECTED,
  MULTI_CURRENCY,
  DERIVATIVES,
  DAY_TRADER,
  CASH_ONLY,
  NO_TRANSACTIONS,
  NO_ACCOUNTS,
  HIDDEN_HOLDINGS,
  SECOND_FACTOR,
  ...REFUSED,
];

const MOST_ROWS = 50_000_000;

/** A persona by its log-in; `rows:N` makes one with N rows. Null for anyone else. */
export function personaOf(customer: string, personas: readonly Persona[] = PERSONAS): Persona | null {
  const known = personas.find((persona) => persona.customer === customer);
  if (known !== undefined) return known;
  const count = Number(/^rows:(\d{1,9})$/.exec(customer)?.[1]);
  return count > 0 && count <= MOST_ROWS ? rowsPersona(count) : null;
}
