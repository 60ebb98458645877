import type { JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import { connectionId } from './banks.ts';
import type { SharedAccount } from './shared-accounts.ts';
import { categoryJson } from './statement/categories.ts';
import type { Row } from './statement/row.ts';

/** One settled transaction as the vendor writes it. */
export function settledJson(shared: SharedAccount, row: Row): JsonObject {
  const { account, authorisation, user } = shared;
  const { generation } = authorisation;
  const recorded = new Date(Math.max(row.date, row.settles)).toISOString();
  return {
    _id: account.rowIdAt(generation, row.key),
    _user: user.id,
    _account: shared.id,
    _connection: connectionId(authorisation.bank, authorisation.official),
    ...(generation > 0
      ? {
          _migrated: account.rowIdAt(generation - 1, row.key),
          _migrated_account: account.idAt(generation - 1),
        }
      : {}),
    created_at: recorded,
    updated_at: recorded,
    hash: digest('hash', account.scope, row.key).slice(0, 32),
    ...common(row),
    ...(row.merchant === null
      ? {}
      : {
          merchant: { _id: `_merchant${digest('merchant', row.merchant).slice(0, 20)}`, name: row.merchant },
        }),
    ...(row.category === null ? {} : { category: categoryJson(row.category) }),
  };
}

/** One pending transaction as the vendor writes it: without an id, and as of the latest fetch. */
export function pendingJson(shared: SharedAccount, row: Row): JsonObject {
  const { authorisation, user, seenAt } = shared;
  return {
    _user: user.id,
    _account: shared.id,
    _connection: connectionId(authorisation.bank, authorisation.official),
    updated_at: new Date(seenAt).toISOString(),
    ...common(row),
  };
}

function common(row: Row): JsonObject {
  return {
    date: new Date(row.date).toISOString(),
    description: row.description,
    amount: Number(row.amount),
    type: row.type,
    ...(row.meta === null ? {} : { meta: row.meta }),
  };
}
