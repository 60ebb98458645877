import { connect, type Socket } from 'node:net';
import { CommandFailure } from '../failure.ts';
import { findControlPath } from './control-path.ts';
import {
  answerIn,
  type CommandOutput,
  type ControlRequest,
  commandDeadline,
  readLine,
} from './control-protocol.ts';

/** What connecting raises when no server is listening. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR']);

/**
 * Asks the server that runs on this data directory; null when none does.
 * @param signal stops waiting for a response
 * @throws CommandFailure with the server's own message, or if it stops before it responds
 */
export async function askServer(
  dataDir: string,
  request: ControlRequest,
  signal?: AbortSignal,
): Promise<CommandOutput | null> {
  const socket = await connected(await findControlPath(dataDir));
  if (socket === null) return null;
  const leave = (): void => void socket.destroy();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    if (signal?.aborted === true) throw gone();
    socket.setTimeout(commandDeadline(request.command), () => socket.destroy());
    socket.write(`${JSON.stringify(request)}\n`);
    const line = await readLine(socket);
    if (line === null) throw gone();
    const answer = answerIn(JSON.parse(line));
    if (answer === null) throw unknownForm(request.command);
    if (!answer.ok) throw new CommandFailure(answer.message, { exitCode: answer.exit_code });
    const { result, text, warning, again, exit_code } = answer;
    return { result, text, warning, again, exit_code };
  } finally {
    signal?.removeEventListener('abort', leave);
    socket.destroy();
  }
}

/** Whether a server listens on this data directory now. */
export async function isServed(dataDir: string): Promise<boolean> {
  const socket = await connected(await findControlPath(dataDir));
  socket?.destroy();
  return socket !== null;
}

function connected(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.off('error', refused);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
    const refused = (error: Error) => {
      socket.destroy();
      if ('code' in error && typeof error.code === 'string' && NOBODY.has(error.code)) resolve(null);
      else reject(error);
    };
    socket.once('error', refused);
  });
}

function unknownForm(command: string): CommandFailure {
  return new CommandFailure(
    `The running server answered ${command} in a format this version does not know. Restart it with this version.`,
  );
}

function gone(): CommandFailure {
  return new CommandFailure(
    'The running server closed the connection before it answered. Check its log, then run the command again.',
  );
}
