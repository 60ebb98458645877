import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import type { LogLevel } from './config-variables.ts';
import { currentRequestId, currentSpan } from './request-origin.ts';
import { scrub } from './scrub.ts';

/** Writes one message, what it is about, and the error that caused it. */
export type LogWrite = (message: string, fields?: LogFields, error?: unknown) => void;

/** The service's log. */
export interface Log {
  readonly debug: LogWrite;
  readonly info: LogWrite;
  readonly warn: LogWrite;
  readonly error: LogWrite;
  /** A log that adds these fields to every message. */
  with(fields: LogFields): Log;
}

const MAX_MESSAGE = 500;

/**
 * A log that writes one JSON object a line: `level`, `time` (RFC 3339), `message`, the fields, `error`, and
 * `request_id` if it is written on behalf of a request, and `trace_id` and `span_id` if it is part of a recorded trace.
 * What the fields, messages and errors may show is decided in log-fields.ts.
 * @param options.destination where lines go; standard output when absent
 */
export function createLog(options: {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
  readonly clock?: Clock;
}): Log {
  const clock = options.clock ?? systemClock;
  const settings = {
    level: options.level,
    base: null,
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
    mixin: () => {
      const id = currentRequestId();
      const span = currentSpan();
      if (span === null) return id === null ? {} : { request_id: id };
      const { traceId: trace_id, spanId: span_id } = span;
      return id === null ? { trace_id, span_id } : { request_id: id, trace_id, span_id };
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return logOn(options.destination === undefined ? pino(settings) : pino(settings, options.destination));
}

function logOn(logger: Logger): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error'): LogWrite =>
    (message, fields = {}, error) => {
      if (!logger.isLevelEnabled(level)) return;
      const shown = loggable(fields);
      logger[level](
        error === undefined ? shown : { ...shown, error: loggableError(error) },
        // Further arguments would be formatted into the message; a percent sign in it must stay as it is.
        scrub(message, MAX_MESSAGE),
      );
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => logOn(logger.child(loggable(fields))),
  };
}

/** Where commands log: standard output belongs to their result. Written at once, so that a crash loses no line. */
export const standardError = {
  write(line: string): void {
    writeSync(2, line);
  },
};

/** What may accompany a message: no objects, on purpose, so that a row or a body cannot be logged. */
type LogValue = string | number | boolean | null | undefined | readonly string[];

/** What is financial or personal under any value: a field of such a name is dropped, so no message may name one. */
const DATA_NAMES = [
  'body',
  'payload',
  'row',
  'rows',
  'data',
  'query',
  'search',
  'header',
  'headers',
  'amount',
  'balance',
  'description',
  'merchant',
  'payee',
  'memo',
  'account_number',
  'accountnumber',
  'name',
  'email',
] as const;

/** Values by name. */
type LogFields = Readonly<Record<string, LogValue>> & {
  readonly [N in (typeof DATA_NAMES)[number]]?: never;
};

const REMOVED = '[removed]';
const SECRET_NAME =
  /secret|token|authorization|cookie|password|passphrase|credential|api_?key$|signature|nonce|otp/i;
const DATA_NAME = new RegExp(`^(?:${DATA_NAMES.join('|')})$`, 'i');
const URL_NAME = /(^|_)(url|uri|href)$|[a-z]U(rl|ri)$/;
const ID_NAME = /^id$|_ids?$|[a-z]Ids?$/;
const ID_VALUE = /^(?!\d+$)[A-Za-z0-9_-]{1,64}$/;
const MAX_FIELD = 300;
const MAX_LIST = 50;
const MAX_FRAMES = 12;
const MAX_CAUSES = 3;

/**
 * The fields as they may be written. By name: secrets are removed and data is dropped, whatever its value. By value:
 * text is scrubbed, ids stay whole, URLs lose credentials, query and fragment; anything but the types of LogValue is
 * dropped, in case a caller got around the types.
 */
export function loggable(fields: Readonly<Record<string, unknown>>): Record<string, LogValue> {
  const shown: Record<string, LogValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const kept = loggableValue(name, value);
    if (kept !== undefined) shown[name] = kept;
  }
  return shown;
}

function loggableValue(name: string, value: unknown): LogValue {
  if (value === undefined || DATA_NAME.test(name)) return undefined;
  if (SECRET_NAME.test(name)) return REMOVED;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'string') return loggableText(name, value);
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, MAX_LIST)
    .filter((item) => typeof item === 'string')
    .map((item) => loggableText(name, item));
}

function loggableText(name: string, text: string): string {
  if (ID_NAME.test(name) && ID_VALUE.test(text)) return text;
  return scrub(URL_NAME.test(name) ? withoutQuery(text) : text, MAX_FIELD);
}

/** For a path as well as for a whole URL. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** An error as it may be written. */
type LoggedError = {
  type: string;
  message: string;
  code?: string;
  stack?: string[];
  cause?: LoggedError;
};

/** Name, code, scrubbed message, the first frames of the stack and the causes; no other property of the error. */
function loggableError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error), MAX_FIELD) };
  const logged: LoggedError = { type: scrub(error.name, 60), message: scrub(error.message, MAX_FIELD) };
  if ('code' in error && typeof error.code === 'string') logged.code = scrub(error.code, 60);
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  if (frames.length > 0)
    logged.stack = frames.slice(0, MAX_FRAMES).map((line) => scrub(line.trim(), MAX_FIELD));
  if (error.cause !== undefined && depth < MAX_CAUSES) logged.cause = loggableError(error.cause, depth + 1);
  return logged;
}
