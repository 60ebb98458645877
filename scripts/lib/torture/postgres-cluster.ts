import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { request } from 'undici';
import { freePort } from '../../../src/platform/free-port.ts';
import { pgbouncerSettings } from '../../../test/support/pgbouncer.ts';
import { within } from './watch.ts';

const PROGRAMS = {
  patroni: ['/usr/bin/patroni', '/usr/local/bin/patroni'],
  etcd: ['/usr/bin/etcd', '/usr/local/bin/etcd'],
  haproxy: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'],
  pgbouncer: ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer'],
} as const;
const DATABASE = 'tributary';
const FORMED_MS = 120_000;
const NODES = 3;

const ClusterState = Type.Object({
  members: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.String(),
      state: Type.String(),
      timeline: Type.Optional(Type.Integer()),
    }),
  ),
});

interface Node {
  readonly name: string;
  readonly restPort: number;
  readonly postgresPort: number;
  readonly dataDir: string;
}

/**
 * Three Postgres servers with streaming replication under Patroni, which promotes a synchronous standby when the
 * primary fails; HAProxy leads to the primary, and PgBouncer to HAProxy. All on this machine, below a temporary
 * directory, as an unprivileged user.
 */
export class PostgresCluster {
  /** The service's `DATABASE_URL`, through PgBouncer and HAProxy. */
  readonly url: string;
  /** The same without PgBouncer. */
  readonly directUrl: string;
  readonly #directory: string;
  readonly #nodes: readonly Node[];
  readonly #children: ChildProcess[] = [];
  /** That of the primary when it was last killed: its successor begins a new one. */
  #endedTimeline = 0;
  /** Patroni and its Postgres would outlive this process. */
  readonly #abandon = (): void => {
    for (const child of this.#children) child.kill('SIGTERM');
  };
  /** Whose rights the servers have; undefined for those of this process. */
  readonly #user: { readonly uid: number; readonly gid: number } | undefined;

  private constructor(directory: string, nodes: readonly Node[], ports: { pool: number; proxy: number }) {
    this.#directory = directory;
    this.#nodes = nodes;
    this.#user = unprivileged();
    this.url = `postgres://postgres@127.0.0.1:${ports.pool}/${DATABASE}`;
    this.directUrl = `postgres://postgres@127.0.0.1:${ports.proxy}/${DATABASE}`;
  }

  /** What this machine lacks for it, or null. */
  static missing(): string | null {
    const absent = Object.entries(PROGRAMS).flatMap(([name, paths]) =>
      paths.some(existsSync) ? [] : [name],
    );
    if (postgresPrograms() === null) absent.push('postgresql');
    if (process.getuid?.() === 0 && unprivileged() === undefined) absent.push('the user postgres');
    return absent.length === 0 ? null : `not installed: ${absent.join(', ')}`;
  }

  static async start(): Promise<PostgresCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'tributary-ha-'));
    const nodes: Node[] = [];
    for (let at = 1; at <= NODES; at++) {
      const [restPort, postgresPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
      nodes.push({
        name: `node${at}`,
        restPort,
        postgresPort,
        dataDir: join(directory, `node${at}`, 'data'),
      });
    }
    const ports = { pool: await freePort('127.0.0.1'), proxy: await freePort('127.0.0.1') };
    const cluster = new PostgresCluster(directory, nodes, ports);
    try {
      await cluster.#start(ports);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /**
   * Waits until every server runs, on the timeline of a primary that was not killed, and one standby is synchronous, so
   * that the next failure loses nothing.
   */
  async whole(ms = FORMED_MS): Promise<boolean> {
    return within(
      ms,
      async () => {
        const members = await this.#members();
        const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
        const roles = new Set(running.map(({ role }) => role));
        const timelines = new Set(running.map(({ timeline }) => timeline));
        const [timeline = 0] = timelines;
        return (
          running.length === NODES &&
          roles.has('leader') &&
          roles.has('sync_standby') &&
          timelines.size === 1 &&
          timeline > this.#endedTimeline
        );
      },
      200,
    );
  }

  /** SIGKILL of the postmaster of the current primary. Returns the name of that server. */
  async killPrimary(): Promise<string> {
    const members = await this.#members();
    const { name, timeline = 0 } = members.find(({ role }) => role === 'leader') ?? {};
    this.#endedTimeline = timeline;
    const node = this.#nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error('The cluster has no primary to kill.');
    const [pid = ''] = (await readFile(join(node.dataDir, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    return node.name;
  }

  /** Ends every server and removes their data. */
  async close(): Promise<void> {
    process.off('exit', this.#abandon);
    // What leads to the servers first, and what they agree by last; each Patroni stops its Postgres.
    for (const child of this.#children.toReversed()) await ended(child);
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #start(ports: { pool: number; proxy: number }): Promise<void> {
    const bin = postgresPrograms();
    if (bin === null) throw new Error('Postgres is not installed.');
    process.once('exit', this.#abandon);
    this.#own(this.#directory);
    const etcd = { client: await freePort('127.0.0.1'), peer: await freePort('127.0.0.1') };
    this.#run('etcd', [
      ...['--name', 'one', '--data-dir', this.#made('etcd')],
      ...['--listen-client-urls', local(etcd.client), '--advertise-client-urls', local(etcd.client)],
      ...['--listen-peer-urls', local(etcd.peer), '--initial-advertise-peer-urls', local(etcd.peer)],
      ...['--initial-cluster', `one=${local(etcd.peer)}`],
    ]);
    for (const node of this.#nodes) {
      const file = join(this.#made(node.name), 'patroni.yml');
      await writeFile(
        file,
        JSON.stringify(patroniSettings(node, bin, etcd.client, this.#made(node.name)), null, 2),
      );
      this.#run('patroni', [file], node.name);
    }
    const proxyFile = join(this.#directory, 'haproxy.cfg');
    await writeFile(proxyFile, haproxySettings(this.#nodes, ports.proxy));
    this.#run('haproxy', ['-db', '-f', proxyFile]);
    const poolFile = join(this.#directory, 'pgbouncer.ini');
    await writeFile(
      poolFile,
      pgbouncerSettings(ports.pool, { host: '127.0.0.1', port: ports.proxy, user: 'postgres' }, 'session'),
    );
    this.#run('pgbouncer', [poolFile]);
    if (!(await this.whole())) throw new Error(`The cluster did not form; its logs: ${await this.#logs()}`);
    const made = await within(FORMED_MS, () => makeDatabase(this.directUrl), 500);
    if (!made) throw new Error('The proxy does not lead to the primary.');
  }

  async #members() {
    for (const { restPort } of this.#nodes) {
      try {
        const { body } = await request(`${local(restPort)}/cluster`, { signal: AbortSignal.timeout(2_000) });
        const state: unknown = await body.json();
        if (Value.Check(ClusterState, state)) return state.members;
      } catch {
        // This one is being restarted; another knows as well.
      }
    }
    return [];
  }

  #run(program: keyof typeof PROGRAMS, args: readonly string[], logName: string = program): void {
    const path = PROGRAMS[program].find(existsSync) ?? program;
    const log = openSync(join(this.#directory, `${logName}.log`), 'a');
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: this.#directory };
    const child = spawn(path, args, {
      ...this.#user,
      env,
      cwd: this.#directory,
      stdio: ['ignore', log, log],
    });
    this.#children.push(child);
  }

  #made(name: string): string {
    const path = join(this.#directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    this.#own(path);
    return path;
  }

  #own(path: string): void {
    if (this.#user !== undefined) chownSync(path, this.#user.uid, this.#user.gid);
    chmodSync(path, 0o700);
  }

  async #logs(): Promise<string> {
    const names = ['etcd', 'haproxy', 'pgbouncer', ...this.#nodes.map(({ name }) => name)];
    const texts = await Promise.all(
      names.map(async (name) => {
        const text = await readFile(join(this.#directory, `${name}.log`), 'utf8').catch(() => '');
        return `${name}: ${text.slice(-600)}`;
      }),
    );
    return texts.join('\n');
  }
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** SIGTERM, and SIGKILL if it takes too long. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(late);
}

/** The directory with the newest installed Postgres. */
function postgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).filter((name) => existsSync(join(root, name, 'bin', 'postgres')));
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(root, newest, 'bin');
}

/** Postgres and PgBouncer refuse to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    return undefined;
  }
}

/** Creates the service's database if it is not there yet. False if the primary cannot be reached. */
async function makeDatabase(url: string): Promise<boolean> {
  const address = new URL(url);
  address.pathname = '/postgres';
  const client = new pg.Client({ connectionString: address.href, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Those of docs/high-availability.md. JSON is YAML. */
function patroniSettings(node: Node, bin: string, etcdPort: number, directory: string) {
  const address = `127.0.0.1:${node.postgresPort}`;
  const rest = `127.0.0.1:${node.restPort}`;
  return {
    scope: 'tributary',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 200,
            shared_buffers: '64MB',
            wal_keep_size: '256MB',
            synchronous_commit: 'on',
          },
        },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: node.dataDir,
      bin_dir: bin,
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: { unix_socket_directories: directory },
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
    },
  };
}

function haproxySettings(nodes: readonly Node[], port: number): string {
  const servers = nodes.map(
    ({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`,
  );
  return `defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
