import assert from 'node:assert/strict';
import { newRowId } from '../../src/platform/row-id.ts';
import { noteDelivery } from '../../src/storage/webhook-deliveries.ts';
import { parsePublicId, publicId, rowId } from '../../src/vocabulary/ids.ts';
import type { TestService } from '../support/service.ts';

/** A delivery to the webhook as a run would have logged it, of one row that the bank does not have. */
export async function loggedDelivery(
  { app }: Pick<TestService, 'app'>,
  ids: { readonly destination: string; readonly sync: string; readonly account: string },
): Promise<string> {
  const { clock } = app;
  const { db } = app.database;
  const id = rowId('webhook_delivery', newRowId(clock));
  const destination = parsePublicId('destination', ids.destination) ?? assert.fail();
  const sync = parsePublicId('sync', ids.sync) ?? assert.fail();
  const account = parsePublicId('account', ids.account) ?? assert.fail();
  const { account_record } = await db
    .selectFrom('syncs')
    .select('account_record')
    .where('id', '=', sync)
    .executeTakeFirstOrThrow();
  const sent = {
    id,
    account_record,
    destination,
    sync,
    run: null,
    event_id: newRowId(clock),
    kind: 'transactions.synced',
    new_count: 1,
    updated_count: 0,
    removed_count: 0,
    status: 'succeeded',
    rows: [{ account, days: null, rows: [{ id: 'txn_fk_nowhere', removed: false, replaces: null }] }],
    attempts: [{ at: clock.now(), durationMs: 12, status: 204, failure: null, answer: null }],
    created: new Date(clock.now()),
  } as const;
  await noteDelivery(db, sent, app.config.limits.webhook_deliveries);
  return publicId('webhook_delivery', id);
}
