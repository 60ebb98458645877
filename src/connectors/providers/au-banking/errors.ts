import type { Clock } from '../../../platform/clock.ts';
import { OutgoingFailure, type OutgoingFailureKind } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { retryAfterMs } from '../../../platform/retry-after.ts';
import { scrub } from '../../../platform/scrub.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, list, text, type WireObject } from './wire.ts';

const RETRY_AFTER_MAX_S = 300;

/** What kind of call was answered: some statuses mean different things on different calls. */
export interface CallKind {
  /** A page after the first: a 503 or an InvalidPage may mean that the cursor is no longer good. */
  readonly cursor: boolean;
  /** A read of one account: a 404 means that the account is gone. */
  readonly account: boolean;
}

/** An error answer of the vendor. `status` lets the provider look closer where the answer alone does not tell. */
export class ErrorAnswer extends UpstreamFailure {
  readonly status: number;

  constructor(
    situation: UpstreamSituation,
    message: string,
    status: number,
    retryAfterSeconds: number | null,
  ) {
    super(situation, message, retryAfterSeconds === null ? {} : { retryAfterSeconds });
    this.status = status;
  }
}

/** Codes of the banks' standard behind the vendor, by their last part (CDS, error codes), first match wins. */
const STANDARD_CODES: readonly (readonly [RegExp, UpstreamSituation])[] = [
  [/(RevokedConsent|InvalidConsent)$/i, 'grant_rejected'],
  [/AdrStatusNotActive$/i, 'own_credentials'],
  [/UnavailableBankingAccount$|Resource\/Unavailable$/i, 'temporarily_unavailable'],
  [/InvalidBankingAccount$/i, 'account_gone'],
  [/NotImplemented$/i, 'not_implemented'],
  [/UnsupportedVersion$/i, 'other'],
  [/InvalidPage$/i, 'stale_cursor'],
  [/^end_user_not_found$/i, 'grant_rejected'],
];

/** The failure an error answer means (provider failure table, rows 7 to 18). */
export function failureOfAnswer(response: OutgoingResponse, kind: CallKind, clock: Clock): ErrorAnswer {
  const { status } = response;
  const { codes, message } = describe(response);
  const coded = STANDARD_CODES.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
  const situation = coded ?? situationOf(status, kind);
  const waits = situation === 'rate_limited' || situation === 'not_ready';
  const said = message === '' ? `It answered ${status}.` : `It answered ${status}: ${message}`;
  return new ErrorAnswer(
    situation,
    said,
    status,
    waits ? waitSeconds(response.header('retry-after'), clock) : null,
  );
}

function situationOf(status: number, kind: CallKind): UpstreamSituation {
  switch (status) {
    case 400:
    case 406:
    case 422:
      return 'bad_request';
    case 401:
      return 'own_credentials';
    case 404:
      return kind.account ? 'account_gone' : 'other';
    case 425:
      return 'not_ready';
    case 429:
      return 'rate_limited';
    case 501:
      return 'not_implemented';
    case 503:
      return kind.cursor ? 'stale_cursor' : 'server_error';
    case 504:
      return 'gateway_timeout';
    default:
      return status >= 500 ? 'server_error' : 'other';
  }
}

/** Seconds to wait, 1 to 300, or null when nothing usable was said. */
function waitSeconds(header: string | undefined, clock: Clock): number | null {
  const told = retryAfterMs(header, clock);
  if (told === undefined) return null;
  return Math.min(RETRY_AFTER_MAX_S, Math.max(1, Math.ceil(told / 1000)));
}

/** Codes and text of an error body in any of the vendor's or the standard's shapes; the text is fit to show. */
function describe(response: OutgoingResponse): { codes: string[]; message: string } {
  let body: unknown;
  try {
    body = JSON.parse(response.text());
  } catch {
    return { codes: [], message: '' };
  }
  if (!isWireObject(body)) return { codes: [], message: '' };
  const parts: WireObject[] = [body, ...list(body, 'errors')];
  const codes = parts
    .flatMap((part) => [text(part, 'name'), text(part, 'code')])
    .filter((code) => code !== null);
  const said = parts.map((part) => text(part, 'message') ?? text(part, 'detail') ?? text(part, 'title'));
  return { codes, message: scrub(said.find((one) => one !== null) ?? '') };
}

const SITUATIONS: Record<Exclude<OutgoingFailureKind, 'aborted'>, UpstreamSituation> = {
  refused_address: 'connect',
  connect: 'connect',
  dns: 'connect',
  tls: 'connect',
  reset: 'connect',
  timeout: 'deadline',
  too_large: 'malformed',
  protocol: 'malformed',
};

/** The failure behind a call that got no answer; anything that is not an OutgoingFailure, and an abort, as it is. */
export function failureOfCall(error: unknown): unknown {
  if (!(error instanceof OutgoingFailure) || error.kind === 'aborted') return error;
  return new UpstreamFailure(SITUATIONS[error.kind], error.message, { cause: error });
}
