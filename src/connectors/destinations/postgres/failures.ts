import pg from 'pg';
import { NameFailure } from '../../../platform/name-resolver.ts';
import { RefusedAddress } from '../../../platform/outgoing-failure.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** A call that timed out here. */
export class DatabaseSilence extends Error {
  override readonly name = 'DatabaseSilence';
}

/** A column would round or truncate a value of the rows. */
export class InexactColumn extends Error {
  override readonly name = 'InexactColumn';
}

/** The table accepted a statement, but skipped one of its rows. */
export class SkippedRow extends Error {
  override readonly name = 'SkippedRow';
}

interface Meaning {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  readonly situation: UpstreamSituation;
  readonly message: string;
}

const meaning = (
  code: RunFailureCode,
  retryable: boolean,
  situation: UpstreamSituation,
  message: string,
): Meaning => ({ code, retryable, situation, message });

const SIGN_IN = meaning(
  'destination_auth_failed',
  false,
  'grant_rejected',
  'The database does not accept this user and password.',
);
const NO_DATABASE = meaning(
  'destination_resource_missing',
  false,
  'bad_request',
  'The server has no database of this name.',
);
const MISSING = meaning(
  'destination_resource_missing',
  false,
  'bad_request',
  'The schema or the table does not exist any more, or under another name.',
);
const RIGHTS = meaning(
  'destination_resource_missing',
  false,
  'bad_request',
  'The user of the database may not do this: it needs USAGE and CREATE on the schema, and the table must be its own.',
);
const BUSY = meaning('run_failed', true, 'server_error', 'The database takes no connection at the moment.');
const SLOW = meaning('timeout', true, 'deadline', 'The database did not finish a statement in time.');
const CONFLICT = meaning('run_failed', true, 'server_error', 'The database ended the transaction.');
const LOST = meaning('timeout', true, 'connect', 'The connection to the database failed.');
const FULL = meaning('run_failed', false, 'server_error', 'The database has no room left.');
const OTHER = meaning('run_failed', false, 'other', 'The database refused a statement.');
const INEXACT = meaning(
  'run_failed',
  false,
  'bad_request',
  'A column of the table would round or cut a value: give it a type that holds it.',
);
const TAKEN = meaning(
  'run_failed',
  false,
  'bad_request',
  'A column that is needed has the name of one that cannot be written to: rename that one.',
);
const ADDRESS = meaning(
  'run_failed',
  false,
  'bad_request',
  'The address of the database may not be connected to.',
);
const NO_HOST = meaning('run_failed', true, 'bad_request', 'The host of the database has no address.');
const TLS = meaning(
  'run_failed',
  false,
  'bad_request',
  'No encrypted connection to the database could be made: it offers none, or its certificate is not valid for the host. docs/destination-services.md says which sslmodes there are.',
);

/** By SQLSTATE, or by its class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const BY_STATE: Readonly<Record<string, Meaning>> = {
  '28': SIGN_IN,
  '3D000': NO_DATABASE,
  '42P01': MISSING,
  '3F000': MISSING,
  '42701': TAKEN,
  '428C9': TAKEN,
  '42501': RIGHTS,
  '25006': RIGHTS,
  '53100': FULL,
  '53': BUSY,
  '57P03': BUSY,
  '57014': SLOW,
  '55P03': SLOW,
  '57': CONFLICT,
  '40': CONFLICT,
  '08': LOST,
};

/** Classes of errors that are about one row and not about the statement. */
const ROW_CLASSES: ReadonlySet<string> = new Set(['22', '23', '44', 'P0']);

/** Whether the database refuses a row because of its content. */
export function isRowRefusal(error: unknown): boolean {
  if (error instanceof InexactColumn || error instanceof SkippedRow) return true;
  return error instanceof pg.DatabaseError && ROW_CLASSES.has((error.code ?? '').slice(0, 2));
}

/** States that mean another transaction has created a table, an index or a type of that name in the meantime. */
const MADE_MEANWHILE: ReadonlySet<string> = new Set(['23505', '42P07', '42710']);

/** Whether the same thing was created concurrently. Only for statements that create tables. */
export function isMadeMeanwhile(error: unknown): boolean {
  return error instanceof pg.DatabaseError && MADE_MEANWHILE.has(error.code ?? '');
}

/** What went wrong; the server's message is left out, since it may repeat a row. */
export function meaningOf(error: unknown): Meaning {
  if (error instanceof RefusedAddress) return { ...ADDRESS, message: error.message };
  if (error instanceof UpstreamFailure) {
    return meaning('rate_limited', true, error.situation, error.message);
  }
  if (error instanceof NameFailure && error.code === 'ENOTFOUND') return NO_HOST;
  if (error instanceof InexactColumn) return INEXACT;
  if (error instanceof DatabaseSilence) return { ...SLOW, message: error.message };
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? '';
    const known = BY_STATE[state] ?? BY_STATE[state.slice(0, 2)] ?? OTHER;
    return {
      ...known,
      message: `${known.message} SQLSTATE ${/^[0-9A-Z]{5}$/.test(state) ? state : 'unknown'}.`,
    };
  }
  return isTlsTrouble(error) ? TLS : LOST;
}

function isTlsTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) ||
    /SSL connections/.test(error.message)
  );
}

/** As a failure of a run. */
export function asDestinationFailure(
  error: unknown,
  outcome: DestinationFailure['outcome'],
  signal: AbortSignal,
): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof DestinationFailure) return error;
  const { code, retryable, message } = meaningOf(error);
  return new DestinationFailure(code, message, { outcome, retryable, cause: withoutData(error) });
}

/** As a failure of linking or listing. */
export function asUpstreamFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof UpstreamFailure) return error;
  const { situation, message } = meaningOf(error);
  return new UpstreamFailure(situation, message, { cause: withoutData(error) });
}

/** Only the SQLSTATE of the server's error: its texts repeat rows. */
function withoutData(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  return new Error(`The server answered SQLSTATE ${error.code ?? 'unknown'}.`);
}
