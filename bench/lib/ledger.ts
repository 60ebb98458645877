import { sql } from 'kysely';
import { openDatabase } from '../../src/storage/database.ts';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, ratiosOf } from './ratio.ts';

/** How many bytes a row may take, including its index. */
const AIM = 120;

/** The size of a row of the delivery ledger in the database after the measured syncs. Stops the service. */
export async function measureLedger({ service, source }: PreparedService): Promise<Ratio> {
  await service.stop();
  const database = await openDatabase(source);
  try {
    const { rows } = await sql<{ bytes: number; rows: number }>`
      select pg_total_relation_size('delivery_ledger') as bytes, count(*) as rows
      from delivery_ledger`.execute(database.db);
    const [ledger] = rows;
    if (ledger === undefined || ledger.rows === 0) throw new Error('The ledger is empty.');
    const round = { ours: ledger.bytes / ledger.rows, reference: AIM };
    return ratiosOf('a row of the delivery ledger', 'bytes', 'index included; against the aim', [round]);
  } finally {
    await database.close();
  }
}
