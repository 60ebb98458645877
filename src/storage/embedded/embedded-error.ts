import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import { saysUnavailable } from '../sql-states.ts';
import type { Fault } from './messages.ts';

/** An error Postgres raised, with the members it gave it: `code` (SQLSTATE), `constraint` and so on. */
export class EmbeddedError extends Error {
  constructor({ message, members }: Fault) {
    super(message);
    this.name = 'EmbeddedError';
    Object.assign(this, members);
  }
}

/** What a fault of the thread is raised as: StoreUnavailableError where the database itself is in trouble. */
export function raisedFor(fault: Fault): Error {
  const error = new EmbeddedError(fault);
  const { code = '' } = fault.members;
  return fault.fatal || saysUnavailable(code)
    ? new StoreUnavailableError(fault.message, { cause: error })
    : error;
}
