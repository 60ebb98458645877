import type { Table } from './wire.ts';

/** The name, or the name with a number, that no table of the base has. */
export function freeName(wanted: string, tables: readonly Pick<Table, 'name'>[]): string {
  const taken = new Set(tables.map(({ name }) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted} ${number}`;
  return name;
}
