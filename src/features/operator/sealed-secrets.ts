import type { Keyring } from '../../platform/keyring.ts';
import { Sealer, UnsealError } from '../../platform/sealing.ts';
import type { Db } from '../../storage/database.ts';
import { type SealedValue, sealedUnderOthers } from '../../storage/sealed-values.ts';
import { SEALED_COLUMNS } from '../encryption/sealed-columns.ts';

const PAGE = 200;
/** A name that no key has, so every value counts as sealed under another. */
const NO_KEY = '';

/** How many secrets the database contains and how many of them the configured keys do not open. */
export type SealedCount = { readonly sealed: number; readonly unreadable: number };

/** Tries to open every sealed value, without keeping any. */
export async function countSealed(db: Db, keyring: Keyring): Promise<SealedCount> {
  const count = { sealed: 0, unreadable: 0 };
  for (const place of SEALED_COLUMNS) {
    const sealer = new Sealer(keyring, place.purpose);
    let after: SealedValue['id'] | null = null;
    for (;;) {
      const page: readonly SealedValue[] = await sealedUnderOthers(db, place, NO_KEY, { after, limit: PAGE });
      for (const { id, value } of page) {
        count.sealed += 1;
        if (!opens(sealer, value, place.context(id))) count.unreadable += 1;
      }
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) break;
    }
  }
  return count;
}

function opens(sealer: Sealer, value: Uint8Array, context: string): boolean {
  try {
    sealer.open(Buffer.from(value), context);
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}
