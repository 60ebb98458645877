import { createHash } from 'node:crypto';
import type pg from 'pg';
import { SEALED_COLUMNS } from '../../../src/features/encryption/sealed-columns.ts';
import type { Keyring } from '../../../src/platform/keyring.ts';
import { Sealer } from '../../../src/platform/sealing.ts';
import { helpers, KINDS, PROPORTIONS, type Proportions } from './filled-columns.ts';
import { filledTables } from './filled-tables.ts';
import { SEALED_TABLES, type SealedTable } from './sealed-tables.ts';

const YEARS_MS = 63_072_000_000;
const BATCH = 5_000;
const MASK = 4096;

/**
 * Fills an empty, migrated database with account records in realistic proportions (docs/scale.md#the-filled-database),
 * sealed under the keyring, so that a service with that key starts on it. Raises what the server raises.
 */
export async function fill(
  client: pg.Client,
  records: number,
  keyring: Keyring,
  proportions: Proportions = PROPORTIONS,
): Promise<void> {
  const now = Date.now();
  // The rows are consistent, and checking each reference takes longer than writing them.
  await client.query("set session_replication_role = 'replica'");
  await client.query('set synchronous_commit = off');
  await client.query(helpers(records, now));
  for (const table of SEALED_TABLES) await fillSealed(client, table, records, now, keyring);
  for (const { table, rows } of filledTables(proportions)) {
    await client.query(`insert into ${table} ${rows}`, rows.includes('$1') ? [records] : []);
  }
  await client.query("set session_replication_role = 'origin'");
  await client.query('vacuum analyze');
}

async function fillSealed(
  client: pg.Client,
  { kind, columns, count, bytes, hashed, table, rows }: SealedTable,
  records: number,
  now: number,
  keyring: Keyring,
): Promise<void> {
  const name = table.slice(0, table.indexOf(' '));
  const plain = Buffer.alloc(bytes, 7);
  const sealers = columns.map((column) => {
    const place = SEALED_COLUMNS.find((one) => one.table === name && one.column === column);
    if (place === undefined) throw new Error(`${name}.${column} is not a sealed column.`);
    const sealer = new Sealer(keyring, place.purpose);
    return (id: string | Buffer) => sealer.seal(plain, place.context(id));
  });
  let [numbers, places, values]: [number[], number[], Buffer[][]] = [[], [], columns.map(() => [])];
  const flush = async (): Promise<void> => {
    const [one = [], two = one.map(() => null)]: (Buffer | null)[][] = values;
    await client.query(
      `insert into ${table} ${rows} from unnest($1::bigint[], $2::int[], $3::bytea[], $4::bytea[]) as given (n, k, one, two)`,
      [numbers, places, one, two],
    );
    [numbers, places, values] = [[], [], columns.map(() => [])];
  };
  for (let n = 1; n <= records; n++) {
    for (let k = 0; k < count(n); k++) {
      const id = hashed
        ? createHash('sha256')
            .update(String(n * 64 + k))
            .digest()
        : idOf(kind, n, k, records, now);
      numbers.push(n);
      places.push(k);
      sealers.forEach((seal, at) => {
        values[at]?.push(seal(id));
      });
    }
    if (numbers.length >= BATCH) await flush();
  }
  if (numbers.length > 0) await flush();
}

/** As `kid` of the helpers makes it: what is sealed is bound to its id. */
function idOf(kind: keyof typeof KINDS, n: number, k: number, records: number, now: number): string {
  const born = now - YEARS_MS * (1 - n / (records + 1));
  const number = n * 64 + k;
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const digits = `${hex(Math.round(born + 1000), 12)}7${hex(KINDS[kind], 3)}8${hex((number * 7919) % MASK, 3)}${hex(number, 12)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
