import type { Socket } from 'node:net';

/** A connection carries one request and one response, each a line of JSON no longer than this. */
export const CONTROL_LINE_BYTES = 1024 * 1024;

const DEADLINE_MS = 120_000;
/** Writing a file takes as long as reading its rows at the bank. */
const EXPORT_DEADLINE_MS = 24 * 3_600_000;
/** More than the maximum of LIMIT_VERIFICATION_SECONDS. */
const VERIFY_DEADLINE_MS = 3_660_000;
const BACKUP_DEADLINE_MS = 6 * 3_600_000;
const DEADLINES: ReadonlyMap<string, number> = new Map([
  ['backup', BACKUP_DEADLINE_MS],
  ['export', EXPORT_DEADLINE_MS],
  ['verify', VERIFY_DEADLINE_MS],
]);

/** How long the command with this name may take, in milliseconds. */
export function commandDeadline(name: string): number {
  return DEADLINES.get(name) ?? DEADLINE_MS;
}

/** What a command asks a running server to do. */
export interface ControlRequest {
  readonly command: string;
  readonly args: unknown;
}

/** The result of a command, for programs and for people. */
export interface CommandOutput {
  readonly result: unknown;
  readonly text: string;
  /** For standard error; null if there is none. */
  readonly warning: string | null;
  /** For work in parts: the progress, if the command has to be called again; null once it is done. */
  readonly again: string | null;
  /** The shell's exit code. */
  readonly exit_code: number;
}

/** What the server says: the command's output, or a failure with its message for a person. */
export type ControlAnswer =
  | ({ readonly ok: true } & CommandOutput)
  | { readonly ok: false; readonly message: string; readonly exit_code: number };

/** The request in parsed JSON, or null if there is none. A client may send anything. */
export function requestIn(json: unknown): ControlRequest | null {
  if (typeof json !== 'object' || json === null || !('command' in json) || !('args' in json)) return null;
  const { command, args } = json;
  return typeof command === 'string' && command.length <= 100 ? { command, args } : null;
}

/**
 * The response in parsed JSON, or null if its format is unknown. Written by hand, because a schema library takes longer
 * to load than everything else a command needs to call a server.
 */
export function answerIn(json: unknown): ControlAnswer | null {
  if (typeof json !== 'object' || json === null || !('ok' in json)) return null;
  if (json.ok === true && 'result' in json && 'text' in json && 'again' in json && 'exit_code' in json) {
    const { result, text, again, exit_code: code } = json;
    const warning = 'warning' in json && typeof json.warning === 'string' ? json.warning : null;
    if (typeof text !== 'string' || (typeof again !== 'string' && again !== null)) return null;
    return isExitCode(code) ? { ok: true, result, text, warning, again, exit_code: code } : null;
  }
  if (json.ok !== false || !('message' in json) || !('exit_code' in json)) return null;
  const { message, exit_code } = json;
  return typeof message === 'string' && isExitCode(exit_code) ? { ok: false, message, exit_code } : null;
}

function isExitCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

/**
 * The first line the other side sends, without its end. Null when the connection ends first.
 * @throws RangeError when the line is longer than either side may send
 */
export function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      act();
    };
    const onEnd = () => settle(() => resolve(null));
    const onError = (error: Error) => settle(() => reject(error));
    const onData = (part: Buffer) => {
      const end = part.indexOf(0x0a);
      parts.push(end === -1 ? part : part.subarray(0, end));
      size += parts.at(-1)?.length ?? 0;
      if (size > CONTROL_LINE_BYTES) {
        settle(() => reject(new RangeError('The line is longer than a control message may be.')));
      } else if (end !== -1) settle(() => resolve(Buffer.concat(parts).toString('utf8')));
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
  });
}
