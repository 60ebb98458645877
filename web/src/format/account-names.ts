import { accountNumberText } from './account-number.ts';
import { dayText } from './moments.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly account_number: string | null;
}

/** An account's name with the last digits of its number. */
export function accountLabel({ name, account_number: number }: Omit<Named, 'id'>): string {
  return number === null ? name : `${name} ${accountNumberText(number)}`;
}

/** The names of accounts by their ids; where several have the same name, with the last digits of their numbers. */
export function accountNames(accounts: readonly Named[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const { name } of accounts) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    accounts.map((account) => [
      account.id,
      (count.get(account.name) ?? 0) > 1 ? accountLabel(account) : account.name,
    ]),
  );
}

interface Linked {
  readonly id: string;
  readonly institution: { readonly name: string };
  readonly accounts: readonly Pick<Named, 'account_number'>[] | null;
  /** Instant at which it was linked. */
  readonly created: string;
}

/** As many digits as tell banks apart at a glance. */
const MOST_NUMBERS = 2;

/**
 * The names of connections by their ids. Several of one institution also have the digits of their accounts, or the day
 * on which they were linked, and a number where that is the same as well.
 */
export function bankNames(connections: readonly Linked[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const banks = Map.groupBy(connections, ({ institution }) => institution.name);
  for (const [bank, several] of banks) {
    const taken = new Map<string, number>();
    for (const one of several.toSorted((a, b) => a.created.localeCompare(b.created))) {
      const apart = several.length === 1 ? '' : markOf(one);
      const times = (taken.get(apart) ?? 0) + 1;
      taken.set(apart, times);
      names.set(one.id, apart === '' ? bank : `${bank} (${apart}${times === 1 ? '' : `, ${times}`})`);
    }
  }
  return names;
}

function markOf({ accounts, created }: Linked): string {
  const numbers = (accounts ?? []).flatMap(({ account_number: number }) => number ?? []).toSorted();
  if (numbers.length === 0) return dayText(created.slice(0, created.indexOf('T')));
  const more = numbers.length > MOST_NUMBERS ? ['…'] : [];
  return [...numbers.slice(0, MOST_NUMBERS).map(accountNumberText), ...more].join(', ');
}

/** The same, of the connections that accounts are read through. */
export function bankNamesOf(
  accounts: readonly (Pick<Linked, 'institution' | 'created'> &
    Pick<Named, 'account_number'> & { readonly connection: string })[],
): ReadonlyMap<string, string> {
  const linked = [...Map.groupBy(accounts, ({ connection }) => connection)].flatMap(([id, members]) => {
    const [first] = members.toSorted((a, b) => a.created.localeCompare(b.created));
    return first === undefined
      ? []
      : [{ id, institution: first.institution, accounts: members, created: first.created }];
  });
  return bankNames(linked);
}
