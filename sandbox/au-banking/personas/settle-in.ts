import { negateDecimal, sumDecimals } from '../../shared/decimal.ts';
import type { JsonObject } from '../../shared/json.ts';
import { digest } from '../../shared/random.ts';
import type { BankAccount, Customer } from '../bank-account.ts';
import { ComputedRows } from '../rows/computed-rows.ts';
import { utcText } from '../rows/moment.ts';
import { RowBook } from '../rows/row-book.ts';
import type { Day } from './calendar.ts';
import { rowsOf } from './movement.ts';
import { type AccountNumbers, type AccountPlan, DEFAULT_TERMS, type Persona } from './plan.ts';

const DAY_MS = 86_400_000;

export type Town = {
  readonly seed: number;
  /** Epoch ms at which the sandbox started; dates of products and computed statements are relative to it. */
  readonly startedAt: number;
  readonly days: () => readonly Day[];
};

/** Gives a persona accounts, numbers and history at one bank. The same seed and bank give the same customer. */
export function settleIn(town: Town, institutionId: string, persona: Persona): Customer {
  const idOf = (planKey: string): string =>
    digest('account-id', town.seed, institutionId, persona.customer, planKey).slice(0, 32);
  const accounts = persona.accounts.map((plan) => openAccount(town, institutionId, persona, plan, idOf));
  return {
    institutionId,
    customer: persona.customer,
    name: persona.name,
    summary: persona.summary,
    accounts,
  };
}

function openAccount(
  town: Town,
  institutionId: string,
  persona: Persona,
  plan: AccountPlan,
  idOf: (planKey: string) => string,
): BankAccount {
  const numbers = numbersOf(town, idOf, plan.key);
  const currency = plan.currency ?? 'AUD';
  const scope = `${institutionId}/${numbers.accountId}`;
  const anchor = Math.floor(town.startedAt / DAY_MS) * DAY_MS;
  const rows = plan.habit
    ? rowsOf(
        `${persona.customer}/${plan.key}`,
        town.seed,
        currency,
        town.days(),
        plan.habit,
        plan.pendingHours,
      )
    : [];
  const computed = plan.computedRows ? new ComputedRows(scope, plan.computedRows, anchor) : null;
  const terms = { ...DEFAULT_TERMS, ...plan.terms };
  return {
    accountId: numbers.accountId,
    institutionId,
    currency,
    detail: detailOf(plan, numbers),
    // A computed statement ends at the plan's figure, whatever its length.
    terms: computed
      ? { ...terms, opening: sumDecimals([terms.opening, negateDecimal(computed.total)]) }
      : terms,
    book: new RowBook(scope, rows),
    computed,
    state: 'OPEN',
  };
}

function numbersOf(town: Town, idOf: (planKey: string) => string, planKey: string): AccountNumbers {
  const accountId = idOf(planKey);
  const digits = BigInt(`0x${digest('numbers', accountId).slice(0, 24)}`)
    .toString()
    .padStart(24, '0');
  return {
    accountId,
    bsb: `06${digits.slice(-4)}`,
    accountNumber: digits.slice(-13, -4),
    idOf,
    dateFrom: (months) => {
      const date = new Date(town.startedAt);
      date.setUTCDate(1);
      date.setUTCMonth(date.getUTCMonth() + months);
      return utcText(date.getTime()).slice(0, 10);
    },
  };
}

function detailOf(plan: AccountPlan, numbers: AccountNumbers): JsonObject {
  return {
    display_name: plan.displayName,
    ...(plan.nickname ? { nickname: plan.nickname } : {}),
    masked_number: `xxx-xxx xxxxx${numbers.accountNumber.slice(-4)}`,
    account_number: numbers.accountNumber,
    bsb: numbers.bsb,
    product_category: plan.productCategory,
    product_name: plan.productName,
    open_status: 'OPEN',
    is_owned: true,
    account_ownership: 'ONE_PARTY',
    creation_date: numbers.dateFrom(-60),
    ...plan.product?.(numbers),
  };
}
