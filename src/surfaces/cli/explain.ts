import { ConfigError } from '../../platform/config.ts';
import { KeyringError } from '../../platform/keyring.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { MigrationBlocked, SchemaError, StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { CommandFailure, EXIT } from './failure.ts';

/** How an error is shown to a person: without a stack, and always with something to do. */
export type Explanation = { readonly message: string; readonly exitCode: number };

/** What the operating system's error codes mean for a person at a shell. */
const SYSTEM_ERRORS: Readonly<Record<string, (error: Error) => string>> = {
  EADDRINUSE: (error) =>
    `The address is in use by another program (${error.message}). Stop that program, or set PORT or METRICS_PORT to another port.`,
  EADDRNOTAVAIL: (error) =>
    `This machine does not have the address in HOST (${error.message}). Correct HOST.`,
  EACCES: (error) =>
    `The operating system refused access (${error.message}). Check who owns the path or port.`,
  EPERM: (error) => `The operating system refused access (${error.message}). Check who owns the path.`,
  ENOSPC: (error) => `The disk is full (${error.message}). Free some space and start again; nothing is lost.`,
  EROFS: (error) => `The file system is read-only (${error.message}). Set DATA_DIR to a writable directory.`,
  ENOENT: (error) => `A file does not exist (${error.message}). Check the path.`,
  ENOTDIR: (error) => `A part of the path is not a directory (${error.message}). Check the path.`,
  ECONNREFUSED: (error) =>
    `The database does not answer (${error.message || 'connection refused'}). Start it or correct DATABASE_URL.`,
  ENOTFOUND: (error) =>
    `A host name could not be resolved (${error.message}). Correct DATABASE_URL or REDIS_URL.`,
  '28P01': () => 'The database refused the password. Correct DATABASE_URL.',
  '28000': () => 'The database refused the user. Correct DATABASE_URL.',
  '3D000': () => 'The database named in DATABASE_URL does not exist. Create it or correct DATABASE_URL.',
};

/** One explanation for whatever a command raised, or a start of the service. */
export function explain(raised: unknown, isStart = false): Explanation {
  const refused = isStart ? EXIT.refused : EXIT.failure;
  const error = raised instanceof StoreUnavailableError && raised.cause !== undefined ? raised.cause : raised;
  if (error instanceof CommandFailure) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { message: error.message, exitCode: refused };
  if (error instanceof KeyringError) return { message: error.message, exitCode: refused };
  if (error instanceof SchemaError) return { message: error.message, exitCode: refused };
  if (error instanceof MigrationBlocked) return { message: error.message, exitCode: EXIT.failure };
  if (error instanceof ServiceError) {
    const where = error.param === null ? '' : `${error.param}: `;
    return { message: `${where}${error.message} (${error.code})`, exitCode: EXIT.failure };
  }
  if (!(error instanceof Error)) return { message: `Failed: ${String(error)}`, exitCode: EXIT.failure };
  const known = SYSTEM_ERRORS[codeOf(error)];
  if (known !== undefined) return { message: known(firstOf(error)), exitCode: EXIT.failure };
  return {
    message: `${firstOf(error).message || error.name}. Run it again with LOG_LEVEL=debug to see where it failed.`,
    exitCode: EXIT.failure,
  };
}

/** A connection that fails at several addresses raises one error that contains the others. */
function firstOf(error: Error): Error {
  if (!(error instanceof AggregateError)) return error;
  const [first]: unknown[] = error.errors;
  return first instanceof Error ? first : error;
}

function codeOf(error: Error): string {
  const source = firstOf(error);
  return 'code' in source && typeof source.code === 'string' ? source.code : '';
}
