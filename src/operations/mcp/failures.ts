import { ERROR_CODES, errorAnchor, isErrorCode } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { type V1Refusal, v1Failure } from '../v1/failures.ts';

/** A failure as an agent sees it: what happened, and whether and when to try again. */
export interface AgentFailure {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly doc_url: string;
  readonly request_id: string;
  /** Whether the same call may succeed later, and after how many seconds if known. */
  readonly retry: boolean;
  readonly retry_after_seconds: number | null;
}

/** Temporary failures. */
const PASSING: ReadonlySet<number> = new Set([429, 503]);

interface Place {
  readonly docsUrl: string;
  readonly requestId: string;
  /** Whether v1's own code is shown, if there is one (docs/v1.md#errors). */
  readonly asV1?: boolean;
}

/** Never a stack, never a cause, never `detail`. */
export function agentFailure(
  error: ServiceError | V1Refusal,
  { docsUrl, requestId, asV1 = false }: Place,
): AgentFailure {
  if (error instanceof ServiceError) {
    const { type, code, message, param, status, retryAfterSeconds } = error;
    return {
      type,
      code: (asV1 ? v1Failure(error).code : null) ?? code,
      message,
      param,
      doc_url: `${docsUrl}#${errorAnchor(code)}`,
      request_id: requestId,
      retry: PASSING.has(status),
      retry_after_seconds: retryAfterSeconds === null ? null : Math.ceil(retryAfterSeconds),
    };
  }
  const { code, message } = v1Failure(error);
  const known = code !== null && isErrorCode(code) ? code : 'parameter_invalid';
  return {
    type: ERROR_CODES[known].type,
    code: code ?? known,
    message,
    param: Object.keys(error.details ?? {})[0] ?? null,
    doc_url: `${docsUrl}#${errorAnchor(known)}`,
    request_id: requestId,
    retry: false,
    retry_after_seconds: null,
  };
}
