import { DestinationSecrets } from '../../features/destination-secrets.ts';
import { LinkingSecrets } from '../../features/linking-secrets.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { UnsealError } from '../../platform/sealing.ts';
import type { Db } from '../../storage/database.ts';

/** How many secrets the database holds and how many of them the configured keys do not open. */
export type SealedCount = { readonly sealed: number; readonly unreadable: number };

/** Tries to open every sealed secret. Nothing of any of them is kept. */
export async function countSealed(db: Db, keyring: Keyring): Promise<SealedCount> {
  const linking = new LinkingSecrets(keyring);
  const destinations = new DestinationSecrets(keyring);
  const count = { sealed: 0, unreadable: 0 };
  const attempt = (open: () => unknown): void => {
    count.sealed += 1;
    try {
      open();
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      count.unreadable += 1;
    }
  };
  const consents = await db.selectFrom('consents').select(['id', 'grant']).execute();
  for (const { id, grant } of consents) if (grant !== null) attempt(() => linking.openGrant(id, grant));
  const customers = await db.selectFrom('provider_customers').select(['id', 'customer']).execute();
  for (const { id, customer } of customers) {
    if (customer !== null) attempt(() => linking.openCustomer(id, customer));
  }
  const sessions = await db.selectFrom('link_sessions').select(['id', 'vendor_state']).execute();
  for (const { id, vendor_state: state } of sessions) {
    if (state !== null) attempt(() => linking.openVendorState(id, state));
  }
  const targets = await db.selectFrom('destinations').selectAll().execute();
  for (const row of targets) {
    attempt(() => destinations.macKey(row));
    if (row.signing_secret !== null) attempt(() => destinations.signingSecrets(row, 0));
    if (row.grant !== null) attempt(() => destinations.grant(row));
  }
  return count;
}
