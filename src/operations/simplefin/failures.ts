import type { ErrorCode } from '../../vocabulary/error-codes.ts';

/** An entry of `errlist`. The protocol's text names its sentence `msg`, its samples `message`: both are sent. */
export interface BridgeError {
  readonly code: 'gen.' | 'gen.api' | 'con.' | 'con.auth' | 'act.failed' | 'act.missingdata';
  readonly msg: string;
  readonly message: string;
  readonly conn_id?: string;
  readonly account_id?: string;
}

export function bridgeError(
  code: BridgeError['code'],
  sentence: string,
  about: Pick<BridgeError, 'conn_id' | 'account_id'> = {},
): BridgeError {
  return { code, msg: sentence, message: sentence, ...about };
}

/** The sentence that apps look for, letter by letter, to mark the accounts of a bank. */
export function needsAttention(bank: string): string {
  return `Connection to ${bank} may need attention`;
}

/** What is at fault where an account cannot be read. An account that is gone says nothing about its bank. */
export function codeOf(failure: ErrorCode): BridgeError['code'] {
  if (failure === 'upstream_auth_failed') return 'con.auth';
  return failure === 'account_unavailable' ? 'act.failed' : 'con.';
}
