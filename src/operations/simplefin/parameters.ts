import type { AccountSetQuery } from '../../features/reads/account-sets.ts';
import { isRowId, parsePublicId, type RowId } from '../../vocabulary/ids.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';

const EPOCH = /^-?\d{1,12}(?:\.\d{1,9})?$/;
/** 9999-12-31: no time zone has a later day. */
const LAST_SECOND = 253_402_214_400;
const FIRST_SECOND = -62_000_000_000;

/**
 * What an app asks of `/accounts`. Parameters that the protocol does not have are ignored, `version` among them: the
 * answer has the fields of both versions. Raises `parameter_invalid` for an invalid date, or a start after the end.
 */
export function parseAccountsQuery(search: URLSearchParams): AccountSetQuery {
  const from = moment(search, 'start-date');
  const until = moment(search, 'end-date');
  if (from !== null && until !== null && from > until) {
    throw invalidParameter('start-date', 'start-date must not be after end-date.');
  }
  const asked = search.getAll('account');
  return {
    from,
    until,
    includePending: isOn(search, 'pending'),
    balancesOnly: isOn(search, 'balances-only'),
    accounts: asked.length === 0 ? null : new Set(asked.flatMap(accountId)),
  };
}

/** Epoch milliseconds; an empty text counts as none. */
function moment(search: URLSearchParams, name: string): number | null {
  const text = search.get(name) ?? '';
  if (text === '') return null;
  const seconds = EPOCH.test(text) ? Number(text) : Number.NaN;
  if (seconds >= FIRST_SECOND && seconds <= LAST_SECOND) return Math.floor(seconds * 1000);
  throw invalidParameter(name, `${name} must be a Unix timestamp in seconds, such as 1767225600.`);
}

function isOn(search: URLSearchParams, name: string): boolean {
  return ['1', 'true'].includes(search.get(name) ?? '');
}

/** An account by the id that the bridge shows, or by the one in `extra`. */
function accountId(text: string): RowId<'account'>[] {
  const id = isRowId('account', text) ? text : parsePublicId('account', text);
  return id === null ? [] : [id];
}
