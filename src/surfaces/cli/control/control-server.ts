import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { type ControlAnswer, type ControlRequest, readLine, requestIn } from './control-protocol.ts';

/** How long a connection may take to send its request. */
const REQUEST_DEADLINE_MS = 10_000;

export interface ControlServer {
  close(): Promise<void>;
}

/**
 * Answers commands on a Unix socket that only its owner can open. The caller has the data lock and has cleared the
 * path, so that two servers cannot use the same one.
 * @param answer never rejects
 */
export async function serveControl(
  path: string,
  answer: (request: ControlRequest) => Promise<ControlAnswer>,
): Promise<ControlServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    attend(socket, answer).catch(() => socket.destroy());
  });
  await listenPrivately(server, path);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function attend(
  socket: Socket,
  answer: (request: ControlRequest) => Promise<ControlAnswer>,
): Promise<void> {
  socket.setTimeout(REQUEST_DEADLINE_MS, () => socket.destroy());
  const line = await readLine(socket);
  if (line === null) return;
  socket.setTimeout(0);
  const request = requestIn(parsed(line));
  const reply: ControlAnswer =
    request === null
      ? { ok: false, message: 'The control socket did not understand the request.', exit_code: 2 }
      : await answer(request);
  socket.end(`${JSON.stringify(reply)}\n`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The socket never has a mode that lets others connect, not even briefly. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const before = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // Node binds before listen() returns; only the event comes later.
      server.listen(path, () => resolve());
      process.umask(before);
    });
  } finally {
    process.umask(before);
  }
  await chmod(path, 0o600);
}
