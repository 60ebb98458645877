import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Clock, systemClock } from './clock.ts';
import { type LogFields, loggable, loggableError } from './log-fields.ts';
import type { LogLevel } from './log-level.ts';
import { scrub } from './scrub.ts';

/** Writes one message, what it is about, and the error that caused it. */
export type LogWrite = (message: string, fields?: LogFields, error?: unknown) => void;

/** Where the service says what it does. */
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
 * A log that writes one JSON object a line: `level`, `time` (RFC 3339), `message`, the fields, `error`. What the
 * fields, messages and errors may show is decided in log-fields.ts.
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
        // Arguments beyond the message would be filled into it; a percent sign must stay what it is.
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
