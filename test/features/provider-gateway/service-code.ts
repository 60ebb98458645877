import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';

/** The ServiceError a promise ends in, of that code. */
export async function code(work: Promise<unknown>, expected: ErrorCode): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    assert.equal(error.code, expected, error.message);
    return error;
  }
  throw new assert.AssertionError({ message: `expected ${expected}` });
}
