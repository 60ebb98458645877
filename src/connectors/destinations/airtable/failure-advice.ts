import type { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/vendor-refusal.ts';
import type { AirtableAccess, AirtableApi } from './client.ts';
import { isFull, MONTH_SPENT, UNSEEN } from './failures.ts';

/** What a person may do in a base without being allowed to write there. */
export const READ_ONLY: ReadonlySet<string> = new Set(['none', 'read', 'comment']);

/** A failure that says what to do about it, where its word alone does not. */
export async function explained(
  api: AirtableApi,
  by: AirtableAccess,
  base: string,
  failure: DestinationFailure,
): Promise<DestinationFailure> {
  if (!(failure instanceof VendorRefusal)) return failure;
  const { word } = failure;
  if (word === MONTH_SPENT) {
    return again(
      failure,
      'the workspace has used up its API calls of this month. Wait for the next, or change its plan.',
    );
  }
  if (isFull(word)) {
    return again(
      failure,
      'the base holds as many records as its plan allows. Make room, or change its plan.',
    );
  }
  return word === UNSEEN ? unseen(api, by, base, failure) : failure;
}

/** Airtable says the same of what is gone and of what is not allowed; the list of bases shows which it is. */
async function unseen(
  api: AirtableApi,
  by: AirtableAccess,
  base: string,
  failure: VendorRefusal,
): Promise<DestinationFailure> {
  try {
    for await (const page of api.bases(by)) {
      const found = page.find(({ id }) => id === base);
      if (found === undefined) continue;
      if (!READ_ONLY.has(found.permissionLevel ?? '')) {
        return again(failure, 'the base no longer has the table. Choose another target.');
      }
      const { status, text, outcome } = failure;
      const more = { status, word: UNSEEN, text, outcome, retryable: false };
      const message = `Airtable answered ${status}: the person who granted access may no longer write to the base. Change that, or connect it again.`;
      return new VendorRefusal('destination_auth_failed', message, more);
    }
  } catch {
    by.signal.throwIfAborted();
    return failure;
  }
  return again(
    failure,
    'the base is gone, or access to it was not granted. Connect it again, or choose another.',
  );
}

function again(failure: VendorRefusal, advice: string): VendorRefusal {
  const { code, status, word, text, outcome, retryable } = failure;
  const message = `Airtable answered ${status}: ${advice}`;
  return new VendorRefusal(code, message, { status, word, text, outcome, retryable });
}
