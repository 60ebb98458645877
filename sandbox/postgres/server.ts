import { createServer, type Server, type Socket } from 'node:net';
import { type SimulatorClock, SYSTEM_CLOCK } from '../shared/clock.ts';
import { serveControl } from '../shared/control-api.ts';
import { Faults } from '../shared/faults.ts';
import { addressOf, listen, shut } from '../shared/listener.ts';
import { RequestLog } from '../shared/request-log.ts';
import type { SimulatorPorts } from '../shared/simulator.ts';
import { Cluster, USER } from './cluster.ts';
import { Connection } from './connection.ts';
import { PostgresControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { TablePages } from './table-pages.ts';

export interface PostgresSimulatorOptions {
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Where browsers reach the pages, when something else serves them; default the bound address. No trailing slash. */
  readonly pagesUrl?: string;
  /** Of probable faults; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch ms; default the system clock. */
  readonly clock?: SimulatorClock;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Names the directory in which tables outlast a restart; default none does. */
  readonly stateFile?: string;
}

export interface PostgresSimulator {
  /** Where it serves its pages, without a trailing slash. */
  readonly url: string;
  readonly controlUrl: string;
  /** What a destination is connected with. */
  readonly secret: string;
  readonly control: PostgresControl;
  close(): Promise<void>;
}

const DATABASE = 'money';

/** Starts a simulated database server, the pages of its tables, and the control API. */
export async function startPostgresSimulator(
  options: PostgresSimulatorOptions = {},
): Promise<PostgresSimulator> {
  const { host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK, stateFile } = options;
  const closing = new AbortController();
  const faults = new Faults(seed);
  const log = new RequestLog();
  const cluster = new Cluster(stateFile === undefined ? null : stateFile.replace(/\.json$/, ''));
  const control = new PostgresControl({ cluster, faults, log, password: 'sandbox' });
  const now = (): number => clock.now();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new Connection(socket, {
      cluster,
      faults,
      log,
      now,
      password: () => control.password,
      closing: closing.signal,
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.ports?.database ?? 0, host, resolve);
  });
  const secret = `postgres://${USER}:sandbox@${new URL(addressOfTcp(server, host)).host}/${DATABASE}?sslmode=disable`;
  let url = '';
  const pages = new TablePages(
    cluster,
    () => options.pagesUrl ?? url,
    () => secret,
  );
  const pageServer = await listen(
    async (request, response) => {
      const { status, html } = await pages.page(request.url ?? '/');
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    },
    host,
    options.ports?.vendor ?? 0,
  );
  url = addressOf(pageServer, host);
  const controlServer = await listen(
    (request, response) => serveControl(control, CONTROL_ROUTES, request, response),
    host,
    options.ports?.control ?? 0,
  );
  return {
    url,
    controlUrl: addressOf(controlServer, host),
    secret,
    control,
    close: async () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => server.close(resolve)),
        shut(pageServer),
        shut(controlServer),
      ]);
      await cluster.close();
    },
  };
}

function addressOfTcp(server: Server, host: string): string {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
