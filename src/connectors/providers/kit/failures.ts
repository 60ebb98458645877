import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingFailure, OutgoingFailureKind } from '../../../platform/outgoing-failure.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { MOST_RETRY_AFTER_MS, retryAfterMs } from '../../../platform/retry.ts';
import { scrub } from '../../../platform/scrub.ts';
import type { AnswerKind } from '../../../vocabulary/answer-kinds.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, type WireObject } from './json.ts';

/** What kind of call was answered: some statuses mean different things on different calls. */
export interface CallKind {
  /** A page after the first: a 503 may mean that the cursor is no longer good. */
  readonly cursor: boolean;
  /** A read of one account: a 404 means that the account is gone. */
  readonly account: boolean;
  /** What the answer holds, which bounds its size. */
  readonly answer: AnswerKind;
}

/** What an error body of a vendor says. The message may hold anything: it is scrubbed before anybody sees it. */
export interface SaidError {
  readonly codes: readonly string[];
  readonly message: string | null;
}

/** How a vendor tells of errors. Everything a vendor leaves to HTTP is the kit's. */
export interface VendorErrors {
  /** Reads an error body that is a JSON object. */
  read(body: WireObject): SaidError;
  /** What a code means, first match wins. */
  readonly codes: readonly (readonly [RegExp, UpstreamSituation])[];
  /** What a status means where it differs from HTTP at large; null where it does not. */
  situation?(status: number, kind: CallKind): UpstreamSituation | null;
  /** Seconds to wait, for a vendor that says so elsewhere than in `Retry-After`, which goes first; null where it does not. */
  wait?(response: OutgoingResponse, said: SaidError): number | null;
}

/** An error answer of a vendor. `status` lets an adapter look closer where the answer alone does not tell. */
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

/** The failure an error answer means (docs/provider-failures.md). */
export function failureOfAnswer(
  response: OutgoingResponse,
  kind: CallKind,
  vendor: VendorErrors,
  clock: Clock,
): ErrorAnswer {
  const { status } = response;
  const saidError = saidBy(response, vendor);
  const { codes, message } = saidError;
  const coded = vendor.codes.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
  const situation = coded ?? vendor.situation?.(status, kind) ?? situationOf(status, kind);
  const waits = situation === 'rate_limited' || situation === 'not_ready';
  const said = scrub(message ?? '');
  return new ErrorAnswer(
    situation,
    said === '' ? `It answered ${status}.` : `It answered ${status}: ${said}`,
    status,
    waits ? waitSeconds(response.header('retry-after'), clock, vendor.wait?.(response, saidError)) : null,
  );
}

function saidBy(response: OutgoingResponse, vendor: VendorErrors): SaidError {
  let body: unknown;
  try {
    body = JSON.parse(response.text());
  } catch {
    body = null;
  }
  return isWireObject(body) ? vendor.read(body) : { codes: [], message: null };
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

/** Seconds to wait, from 1 to a day, or null when nothing usable was said. */
function waitSeconds(
  header: string | undefined,
  clock: Clock,
  elsewhere: number | null = null,
): number | null {
  const asked = retryAfterMs(header, clock);
  const seconds = asked === undefined ? elsewhere : asked / 1000;
  return seconds === null ? null : Math.min(MOST_RETRY_AFTER_MS / 1000, Math.max(1, Math.ceil(seconds)));
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

/** The failure behind a call that got no answer; an abort as it is. */
export function failureOfCall(failure: OutgoingFailure): Error {
  const { kind, message } = failure;
  return kind === 'aborted' ? failure : new UpstreamFailure(SITUATIONS[kind], message, { cause: failure });
}
