import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '../../src/platform/free-port.ts';
import { createServerDatabase } from './database.ts';
import { scratchDirectory } from './scratch.ts';

const START_MS = 5_000;

/** A configuration of PgBouncer that leads to every database of a server. @param more further lines of it */
export function pgbouncerSettings(
  port: number,
  server: { readonly host: string; readonly port: number | string; readonly user: string },
  mode: 'session' | 'transaction',
  more = '',
): string {
  return `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = extra_float_digits
max_client_conn = 500
default_pool_size = 100
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 10
${more}`;
}

/** The address of a new database behind PgBouncer; null without a Postgres server or without PgBouncer. */
export async function startPgBouncer(
  t: TestContext,
  mode: 'session' | 'transaction',
  more = '',
): Promise<string | null> {
  const server = await createServerDatabase();
  if (server === null) return null;
  t.after(() => server.drop());
  const { hostname, port, username, pathname } = new URL(server.url);
  const [folder, ours] = [await scratchDirectory(), await freePort('127.0.0.1')];
  await chmod(folder, 0o755);
  const settings = join(folder, 'pgbouncer.ini');
  const text = pgbouncerSettings(ours, { host: hostname, port, user: username }, mode, more);
  await writeFile(settings, text, { mode: 0o644 });
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('/usr/sbin/pgbouncer', [...user, settings], { stdio: 'ignore' });
  const isRunning = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  if (!isRunning) return null;
  t.after(() => ended(child));
  const end = performance.now() + START_MS;
  while (performance.now() < end && !(await accepts(ours))) await new Promise((done) => setTimeout(done, 50));
  return `postgres://${username}@127.0.0.1:${ours}${pathname}`;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
