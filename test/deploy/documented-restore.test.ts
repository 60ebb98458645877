import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { createServerDatabase } from '../support/database.ts';
import { scratchDirectory } from '../support/scratch.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../../bin/tributary.js', import.meta.url));
/** What the commands of the pages ask for besides Postgres: nothing of it is needed here. */
const STUBS = {
  sudo: '[ "$1" = -u ] && shift 2\nexec "$@"',
  systemctl: 'exit 0',
  tributary: 'exit 0',
};

/** The commands in the blocks of a page that have `tool` in them. */
async function documented(page: string, tool: string): Promise<string> {
  const text = await readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(([, , block = '']) => block);
  return blocks.find((block) => block.includes(tool)) ?? assert.fail(`${page} has no block with ${tool}`);
}

for (const page of ['upgrading', 'self-hosting'])
  test(`the commands of docs/${page}.md put a Postgres database back as it was, without what a newer version added`, async (t) => {
    const server = await createServerDatabase();
    if (server === null) return t.skip('needs a Postgres server');
    const place = await scratchDirectory();
    t.after(() => rm(place, { recursive: true, force: true }));
    await mkdir(join(place, 'bin'));
    for (const [name, text] of Object.entries(STUBS)) {
      await writeFile(join(place, 'bin', name), `#!/bin/sh\n${text}\n`);
      await chmod(join(place, 'bin', name), 0o755);
    }
    const { pathname, hostname, port, username, password } = new URL(server.url);
    const name = pathname.slice(1);
    const query = async (text: string, connectionString = server.url): Promise<readonly unknown[]> => {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    const shell = (script: string) =>
      run(
        'sh',
        [
          '-e',
          '-c',
          script.replaceAll('/root/', `${place}/`).replaceAll(/(?<![/-])\btributary\b(?!\.| doctor)/g, name),
        ],
        {
          env: {
            PATH: `${join(place, 'bin')}:${process.env.PATH}`,
            PGHOST: hostname,
            PGPORT: port === '' ? '5432' : port,
            PGUSER: username,
            PGPASSWORD: password,
          },
        },
      );
    t.after(async () => {
      await server.drop();
      await query(`drop role if exists ${name}`, process.env.DATABASE_URL);
    });
    await query(`create role ${name}`);
    await query('create table of_the_older_version (id int primary key)');
    await query(`alter table of_the_older_version owner to ${name}`);
    await query('insert into of_the_older_version values (1)');

    const dump = await documented(page, 'pg_dump');
    await shell(
      dump
        .split('\n')
        .filter((line) => line.includes('pg_dump'))
        .join('\n'),
    );
    const [, file = ''] = /\/root\/(\S+\.dump)/.exec(dump) ?? [];
    assert.equal((await stat(join(place, file))).mode & 0o777, 0o600, 'no one else can read the dump');

    await query('create table of_the_newer_version (id int primary key references of_the_older_version)');
    await query('insert into of_the_older_version values (2)');
    await shell(await documented(page, 'pg_restore'));
    assert.deepEqual(await query('select id from of_the_older_version'), [{ id: 1 }]);
    assert.deepEqual(
      await query(`select tableowner = '${name}' as owned from pg_tables where tablename ~ '^of_the_'`),
      [{ owned: true }],
    );
  });

test('the commands of docs/self-hosting.md put an embedded database back with the copy of its key, and lose no key', async (t) => {
  const place = await scratchDirectory();
  t.after(() => rm(place, { recursive: true, force: true }));
  for (const folder of ['bin', 'data', 'root', 'etc', 'backups']) await mkdir(join(place, folder));
  const stubs = {
    ...STUBS,
    // Of what a copy is made and where, without the user and the group, which this machine does not have.
    install: 'for last; do :; done\ncat > "$last"',
    tributary: `exec ${process.execPath} ${MAIN} "$@"`,
  };
  for (const [name, text] of Object.entries(stubs)) {
    await writeFile(join(place, 'bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(place, 'bin', name), 0o755);
  }
  const shell = async (script: string): Promise<string> => {
    const here = script
      .replaceAll('/var/lib/tributary/', `${place}/data/`)
      .replaceAll('/var/backups/tributary/', `${place}/backups/`)
      .replaceAll('/etc/tributary/', `${place}/etc/`)
      .replaceAll('/root/', `${place}/root/`)
      // The name of the one backup, which contains the time.
      .replaceAll('…', '*')
      // What it finds about this machine is not its subject here.
      .replaceAll(/^.*tributary doctor$/gm, '');
    const env = { PATH: `${join(place, 'bin')}:${process.env.PATH}`, DATA_DIR: join(place, 'data') };
    return (await run('sh', ['-e', '-c', here], { env })).stdout;
  };
  const key = join(place, 'data/encryption.key');
  await shell('tributary account create --email kea@example.test');
  await shell(await documented('self-hosting', 'sudo tributary backup'));
  const copied = await readFile(key, 'utf8');
  assert.equal((await stat(join(place, 'root/tributary-encryption.key'))).mode & 0o777, 0o600);
  await shell('tributary keys rotate-encryption && tributary account create --email later@example.test');
  const rotated = await readFile(key, 'utf8');
  assert.notEqual(rotated, copied);

  await shell(await documented('self-hosting', '| sudo tributary restore'));
  const list = await shell('tributary account list');
  assert.match(list, /kea@example\.test/);
  assert.doesNotMatch(list, /later@example\.test/);
  assert.deepEqual([await readFile(key, 'utf8'), (await stat(key)).mode & 0o777], [copied, 0o600]);
  const kept = (await readdir(join(place, 'data'))).filter((name) =>
    name.startsWith('encryption.key-before-'),
  );
  assert.deepEqual(await Promise.all(kept.map((name) => readFile(join(place, 'data', name), 'utf8'))), [
    rotated,
  ]);
});

test('the script of the Compose file makes a role that owns its database and is no superuser, who has no password', async (t) => {
  const server = process.env.DATABASE_URL;
  if (server === undefined || server === '') return t.skip('needs a Postgres server');
  const { hostname, port, username, password } = new URL(server);
  const [name, admin, secret] = ['owner', 'admin', "it's"].map(
    (one) => `${one}_${randomBytes(6).toString('hex')}`,
  );
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  t.after(async () => {
    for (const what of [`database if exists ${name}`, `role if exists ${name}`, `role if exists ${admin}`])
      await client.query(`drop ${what}`);
    await client.end();
  });
  await client.query(`create role ${admin} superuser login password 'one'`);
  const script = await readFile(new URL('../../deploy/postgres/create-owner.sh', import.meta.url), 'utf8');
  await run(
    'sh',
    [
      '-c',
      script
        .replaceAll(/\btributary\b/g, name ?? '')
        .replace('"$POSTGRES_USER" --dbname', `"${username}" --dbname`),
    ],
    {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port === '' ? '5432' : port,
        PGPASSWORD: password,
        POSTGRES_USER: admin,
        POSTGRES_PASSWORD: secret,
      },
    },
  );
  const { rows } = await client.query(
    `select rolname = $1 as service, rolsuper, rolcreatedb, rolcreaterole, rolcanlogin, rolpassword is not null as password
     from pg_authid where rolname in ($1, $2) order by service desc`,
    [name, admin],
  );
  assert.deepEqual(rows, [
    {
      service: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolcanlogin: true,
      password: true,
    },
    {
      service: false,
      rolsuper: true,
      rolcreatedb: false,
      rolcreaterole: false,
      rolcanlogin: true,
      password: false,
    },
  ]);
  const owned = await client.query(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [name],
  );
  assert.deepEqual(owned.rows, [{ owner: name }]);
});
