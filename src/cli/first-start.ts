import type { App } from '../build.ts';
import { publicId } from '../vocabulary/ids.ts';
import { SCOPES } from '../vocabulary/scopes.ts';
import { ServiceError } from '../vocabulary/service-error.ts';

/** The account record of a new sandbox installation belongs to nobody in particular. */
export const FIRST_EMAIL = 'owner@localhost';

export type FirstAccount = { readonly account: string; readonly secret: string };

/**
 * Makes the first account record and its API key where a sandbox has neither, so that a newcomer can start at once.
 * Null when there is an account record already, and outside the sandbox, where who may enter is the operator's
 * decision.
 */
export async function makeFirstAccount(app: App): Promise<FirstAccount | null> {
  const { accountRecords, apiKeys } = app.services;
  if (!app.config.sandbox || (await accountRecords.list()).length > 0) return null;
  try {
    const record = await accountRecords.create({ email: FIRST_EMAIL });
    const { secret } = await apiKeys.create(record.id, { name: 'First key', scopes: SCOPES }, null);
    return { account: publicId('account_record', record.id), secret };
  } catch (error) {
    // Another process of the same installation was first.
    if (error instanceof ServiceError && error.param === 'email') return null;
    throw error;
  }
}
