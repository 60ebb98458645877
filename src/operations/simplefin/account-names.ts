import type { Account } from '../../storage/accounts.ts';
import type { RowId } from '../../vocabulary/ids.ts';

/**
 * A name for each account that no other of the owner has (the protocol asks for it): its own, with the end of its number
 * where others are called the same, and a count where that is not enough. The same whichever accounts are asked for.
 */
export function uniqueNames(accounts: readonly Account[]): ReadonlyMap<RowId<'account'>, string> {
  const count = new Map<string, number>();
  for (const { name } of accounts) count.set(name, (count.get(name) ?? 0) + 1);
  const names = new Map<RowId<'account'>, string>();
  const taken = new Set(accounts.flatMap(({ name }) => (count.get(name) === 1 ? [name] : [])));
  for (const { id, name, masked_number: number } of accounts) {
    if (count.get(name) === 1) names.set(id, name);
    else names.set(id, free(number === null ? name : `${name} (${number.slice(-4)})`, taken));
  }
  return names;
}

function free(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let at = 2; taken.has(name); at += 1) name = `${wanted} ${at}`;
  taken.add(name);
  return name;
}
