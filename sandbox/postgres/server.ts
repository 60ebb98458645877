import { createServer, type Server, type Socket } from 'node:net';
import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { Cluster, USER } from './cluster.ts';
import { Connection } from './connection.ts';
import { PostgresControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { TablePages } from './pages.ts';

export interface PostgresSimulator extends StartedSimulator<PostgresControl> {
  /** What a destination is connected with. */
  readonly secret: string;
}

const DATABASE = 'money';

/** Starts a simulated database server, the pages of its tables, and the control API. */
export async function startPostgresSimulator(options: SimulatorOptions = {}): Promise<PostgresSimulator> {
  const { stateFile } = options;
  const tools = new SimulatorTools(options);
  const { host, now, pagesUrl, faults, log, closing } = tools;
  const cluster = new Cluster(stateFile === undefined ? null : stateFile.replace(/\.json$/, ''));
  const control = new PostgresControl({ cluster, faults, log, password: 'sandbox' });
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
  const pages = new TablePages(cluster, pagesUrl, () => secret);
  const started = await startSimulator(tools, {
    routes: async (request, response) => {
      const { status, html } = await pages.page(request.url ?? '/');
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    },
    // The directory of the cluster survives a restart on its own.
    state: {
      kept: null,
      saved: 'at_once',
      close: async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
        await cluster.close();
      },
    },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, secret };
}

function addressOfTcp(server: Server, host: string): string {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The simulator. A destination has no people to link. */
export function preparePostgres(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startPostgresSimulator({ clock, pagesUrl, stateFile, ports });
      const { control, url, controlUrl, secret } = simulator;
      return {
        url,
        controlUrl,
        settings: {},
        people: null,
        received: control,
        secret,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
