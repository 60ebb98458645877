import type { Table } from './wire.ts';

/** The name, or the name with a number, that none of the others has. */
export function freeName(wanted: string, others: readonly Pick<Table, 'name'>[]): string {
  const taken = new Set(others.map(({ name }) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
  return name;
}
