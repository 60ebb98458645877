import type { Static } from 'typebox';
import type { Account } from '../../storage/accounts.ts';
import type { Connection } from '../../storage/connections.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { PROVIDERS } from '../../vocabulary/providers.ts';
import type { accountSchema } from '../schemas/accounts.ts';
import { presentInstitutionSummary } from './institutions.ts';
import { moment } from './moments.ts';

/** @param publicUrl of the service, for the logo */
export function presentAccount(
  account: Account,
  connection: Connection,
  publicUrl: string,
): Static<typeof accountSchema> {
  return {
    id: publicId('account', account.id),
    object: 'account_item',
    connection: publicId('connection', account.connection),
    provider: account.provider,
    category: PROVIDERS[account.provider].category,
    name: account.name,
    type: account.type,
    institution: presentInstitutionSummary(connection, publicUrl),
    account_number: account.masked_number,
    currency: account.currency,
    balance_sign: account.balance_sign,
    status: account.unavailable_since === null ? 'available' : 'unavailable',
    last_updated_at: moment(account.last_seen_at),
    livemode: true,
    created: moment(account.created),
    updated: moment(account.updated),
  };
}
