import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { V1Refusal } from '../v1/failures.ts';

/** The arguments of a call are not what the tool takes; answered as invalid params of JSON-RPC. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
  /** The argument at fault, where it is one. */
  readonly param: string | null;
  readonly code: ErrorCode;

  constructor(message: string, param: string | null = null, code: ErrorCode = 'parameter_invalid') {
    super(message);
    this.param = param;
    this.code = code;
  }
}

/** An argument that the tool does not have. */
export function unknownArgument(name: string): InvalidArguments {
  const shown = name.slice(0, 100).toWellFormed();
  return new InvalidArguments(`${shown} is not an argument of this tool.`, shown);
}

/** Codes that say that what was sent is not of the form that the operation takes. */
const OF_FORM: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'parameter_invalid',
  'parameter_missing',
  'include_invalid',
  'body_invalid',
  'idempotency_key_invalid',
]);

/** What was raised, or InvalidArguments where it says that arguments are not of the form that is taken. */
export function orInvalidArguments(raised: unknown): unknown {
  if (raised instanceof ServiceError && OF_FORM.has(raised.code)) {
    return new InvalidArguments(raised.message, raised.param, raised.code);
  }
  if (raised instanceof V1Refusal && raised.reason === 'parameters_invalid') {
    return new InvalidArguments(raised.message, Object.keys(raised.details ?? {})[0] ?? null);
  }
  return raised;
}
