import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CSV_LAYOUT, csvOf, ofxOf, STATEMENT, type TestRow } from '../../features/documents/statements.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { type Ended, startTributary, tributaryInProcess } from './run-tributary.ts';

let service: TestService;
let directory = '';
before(async () => {
  service = await commonService();
  directory = await scratchDirectory();
});
after(() => service.close());

const shell = ({ key }: Pick<TestOwner, 'key'>, url = service.url): Record<string, string> => ({
  TRIBUTARY_URL: url,
  TRIBUTARY_API_KEY: key,
});
const run = (owner: TestOwner, ...args: string[]): Promise<Ended> =>
  tributaryInProcess(['documents', ...args], shell(owner));

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

async function folder(name: string): Promise<string> {
  const path = join(directory, name);
  await mkdir(path);
  return path;
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it did not come about within a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const documentsOf = async (owner: TestOwner): Promise<readonly Json[]> =>
  (await owner.v2('GET', '/v2/documents')).body.data;
const rowsOf = async (owner: TestOwner): Promise<number> => {
  const { data } = (await owner.v2('GET', '/v2/accounts')).body;
  const lists = await Promise.all(
    data.map(({ id }: Json) =>
      owner.v2('GET', `/v2/transactions?account=${id}&from=2026-01-01&to=2026-12-31&limit=100`),
    ),
  );
  return lists.reduce((sum: number, { body }: Json) => sum + body.data.length, 0);
};
const more: TestRow = { date: '2026-10-02', amount: '-9.00', description: 'Books', reference: 'a4' };

describe('the command documents', () => {
  test('shows what is new and what is known in each file, and takes it', async () => {
    const owner = await service.owner();
    const [one, two] = [
      await file('one.ofx', ofxOf(STATEMENT)),
      await file('two.ofx', ofxOf([...STATEMENT.slice(1), more])),
    ];
    const shown = await run(owner, '--preview', one);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /one\.ofx +previewed +new +xxxx5678 +[A-Z]{3} +\S+ +\S+ +3 +0 +0 +0 +0\n/);
    assert.equal(await rowsOf(owner), 0);
    const { code, stdout, stderr } = await run(owner, one, two);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /one\.ofx +taken +acct_\w+ +xxxx5678 +[A-Z]{3} +\S+ +\S+ +3 +0 +0 +0 +0\n/);
    assert.match(stdout, /two\.ofx +taken +acct_\w+ +xxxx5678 +[A-Z]{3} +\S+ +\S+ +1 +2 +0 +0 +0\n/);
    assert.equal(await rowsOf(owner), 4);
    const again = JSON.parse((await run(owner, '--json', one)).stdout);
    assert.deepEqual(
      again.files.map(({ outcome, accounts }: Json) => [
        outcome,
        accounts[0].new_rows,
        accounts[0].known_rows,
      ]),
      [['known', 0, 3]],
    );
    assert.equal((await documentsOf(owner)).length, 2);
  });

  test('does not take a file of no named account whose rows are in an account already, unless that is named or a new one asked for', async () => {
    const owner = await service.owner();
    const layout = await file('layout.json', JSON.stringify(CSV_LAYOUT));
    const [first, next] = [
      await file('october.csv', csvOf(STATEMENT)),
      await file('to-november.csv', csvOf([...STATEMENT, more])),
    ];
    const taken = await run(owner, '--layout', layout, '--json', first);
    const { account } = JSON.parse(taken.stdout).files[0].accounts[0];
    const refused = await run(owner, '--layout', layout, next);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`Most rows of the file are in the account ${account} already`));
    assert.equal(await rowsOf(owner), 3);
    assert.equal((await run(owner, '--account', account, '--layout', layout, next)).code, 0);
    assert.equal(await rowsOf(owner), 4);
    const other = await file('other.csv', csvOf([...STATEMENT, more]).toUpperCase());
    const apart = await run(owner, '--account', 'new', '--layout', layout, '--json', other);
    assert.equal(apart.code, 0, apart.stderr);
    assert.notEqual(JSON.parse(apart.stdout).files[0].accounts[0].account, account);
  });

  test('takes a CSV that leaves something open only if its layout is given, or remembered for the account', async () => {
    const owner = await service.owner();
    const open = (text: string) =>
      text.replaceAll(/2026-(\d\d)-(\d\d)/g, '$1/$2/2026').replace('09/15', '09/05');
    const [first, next] = [
      await file('first.csv', open(csvOf(STATEMENT))),
      await file('next.csv', open(csvOf(STATEMENT.slice(1)))),
    ];
    const refused = await run(owner, first);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /first\.csv: The file leaves open .*the order of day and month.*--layout/);
    assert.equal((await run(owner, '--preview', first)).code, 3);
    assert.equal(await rowsOf(owner), 0);
    // Columns that the file does not have need not be named.
    const columns = Object.entries(CSV_LAYOUT.columns).filter(([, at]) => at !== null);
    const layout = await file(
      'layout.json',
      JSON.stringify({ ...CSV_LAYOUT, columns: Object.fromEntries(columns), date_order: 'mdy' }),
    );
    const taken = await run(owner, '--layout', layout, '--json', first);
    assert.equal(taken.code, 0, taken.stderr);
    const { account } = JSON.parse(taken.stdout).files[0].accounts[0];
    assert.equal(await rowsOf(owner), 3);
    const remembered = await run(owner, '--account', account, '--json', next);
    assert.equal(remembered.code, 0, remembered.stderr);
    assert.equal(JSON.parse(remembered.stdout).files[0].accounts[0].known_rows, 2);
    const broken = await file('broken.json', JSON.stringify({ ...CSV_LAYOUT, date_order: 'ydm' }));
    assert.equal((await run(owner, '--layout', broken, first)).code, 2);
  });

  test('takes the other files if one fails, and warns of rows that cannot be read', async () => {
    const owner = await service.owner();
    const [picture, good] = [
      await file('picture.png', '\u0089PNG\u0000\u0001'),
      await file('good.ofx', ofxOf(STATEMENT)),
    ];
    const some = await run(owner, picture, join(directory, 'missing.ofx'), good);
    assert.equal(some.code, 1);
    assert.match(some.stderr, /picture\.png: .*\(document_unusable\)/);
    assert.match(some.stderr, /missing\.ofx: A file does not exist/);
    assert.equal(await rowsOf(owner), 3);
    const damaged = await file('damaged.ofx', ofxOf([{ ...more, amount: 'nine' }, more]));
    const partly = await run(owner, damaged);
    assert.equal(partly.code, 3, partly.stderr);
    assert.match(partly.stderr, /damaged\.ofx: 1 rows could not be read/);
  });

  test('says what is missing where it cannot begin, and why a key is refused', async () => {
    const owner = await service.owner(['account:read']);
    const path = await file('key.ofx', ofxOf(STATEMENT));
    assert.equal((await tributaryInProcess(['documents', path], {})).code, 2);
    for (const args of [
      [],
      ['--done', directory, path],
      ['--watch', directory, path],
      ['--watch', directory, '--preview'],
    ])
      assert.equal((await run(owner, ...args)).code, 2, args.join(' '));
    const refused = await run(owner, path);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /scope_missing|insufficient_scope|scope/);
    const unreachable = await tributaryInProcess(['documents', path], shell(owner, 'http://127.0.0.1:9'));
    assert.equal(unreachable.code, 1);
    assert.match(unreachable.stderr, /Check TRIBUTARY_URL/);
  });
});

describe('a watched directory', () => {
  const watch = (owner: TestOwner, url: string, ...args: string[]) =>
    startTributary(['documents', '--quiet', '1', '--watch', ...args], shell(owner, url));

  test('has each file taken once it is complete, moved if asked for, and the same again if it comes again', async () => {
    const owner = await service.owner();
    const [inbox, done] = [await folder('inbox'), join(directory, 'done')];
    const undone = ofxOf([more], '88880000');
    const { stdout: made } = await run(owner, '--json', await file('taken-out.ofx', undone));
    await owner.v2('POST', `/v2/documents/${JSON.parse(made).files[0].document}/undo`);
    await writeFile(join(inbox, 'taken-out.ofx'), undone);
    const { child, ended, stdout, stderr } = watch(owner, service.url, inbox, '--done', done);
    const text = ofxOf(STATEMENT);
    const half = Math.floor(text.length / 2);
    await writeFile(join(inbox, 'slow.ofx'), text.slice(0, half));
    await writeFile(join(inbox, '.hidden.ofx'), text);
    await writeFile(join(inbox, 'half.ofx.crdownload'), text);
    // Until it has been looked at, it keeps growing.
    for (let at = half; at < text.length; at += Math.ceil(half / 4)) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await appendFile(join(inbox, 'slow.ofx'), text.slice(at, at + Math.ceil(half / 4)));
    }
    await until(() => stdout().includes('slow.ofx  taken') && stdout().includes('taken-out.ofx  undone'));
    await until(async () => (await readdir(done)).length === 1);
    await writeFile(join(inbox, 'slow.ofx'), text);
    await writeFile(join(inbox, 'other.ofx'), ofxOf([...STATEMENT, more]));
    await writeFile(join(inbox, 'picture.png'), '\u0089PNG\u0000\u0001');
    await until(() => stdout().includes('picture.png  failed'));
    await until(async () => (await readdir(done)).length === 3);
    child.kill('SIGTERM');
    assert.equal((await ended).code, 0, stderr());
    assert.deepEqual((await readdir(inbox)).sort(), [
      '.hidden.ofx',
      'half.ofx.crdownload',
      'picture.png',
      'taken-out.ofx',
    ]);
    assert.deepEqual((await readdir(done)).sort(), ['other.ofx', 'slow-2.ofx', 'slow.ofx']);
    assert.equal(await rowsOf(owner), 4);
    assert.equal((await documentsOf(owner)).length, 3);
  });

  test('is waited for through an outage, moves nothing on its own, and leaves alone what a person undid', async (t) => {
    const owner = await service.owner();
    const inbox = await folder('quiet');
    const undone = ofxOf([more], '99990000');
    const { stdout: made } = await run(owner, '--json', await file('undone.ofx', undone));
    await owner.v2('POST', `/v2/documents/${JSON.parse(made).files[0].document}/undo`);
    await writeFile(join(inbox, 'undone.ofx'), undone);
    await writeFile(join(inbox, 'a.ofx'), ofxOf(STATEMENT));
    let answer: 'limited' | 'cut' | 'passed' = 'limited';
    const proxy = await proxyOf(service.url, () => answer);
    t.after(() => proxy.server.close());
    const { child, ended, stdout, stderr } = watch(owner, proxy.url, inbox);
    await until(() => stderr().includes('answered 429'));
    answer = 'cut';
    await until(() => proxy.cut() > 2);
    answer = 'passed';
    await until(() => stdout().includes('a.ofx  taken') && stdout().includes('undone.ofx  undone'));
    child.kill('SIGINT');
    assert.equal((await ended).code, 0, stderr());
    assert.match(stderr(), /The service answers again/);
    assert.deepEqual((await readdir(inbox)).sort(), ['a.ofx', 'undone.ofx']);
    assert.equal(await rowsOf(owner), 3);
  });

  test('ends at once while the service is unreachable, and where the key is refused', async () => {
    const owner = await service.owner();
    const inbox = await folder('ending');
    const waiting = watch(owner, 'http://127.0.0.1:9', inbox);
    await until(() => waiting.stderr().includes('Server unreachable'));
    waiting.child.kill('SIGTERM');
    assert.equal((await waiting.ended).code, 0);
    const refused = await watch({ ...owner, key: 'trib_live_wrong' }, service.url, inbox).ended;
    assert.equal(refused.code, 1);
    const missing = await watch(owner, service.url, join(directory, 'nowhere')).ended;
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /--watch: /);
    const same = await watch(owner, service.url, inbox, '--done', `${inbox}/`).ended;
    assert.equal(same.code, 2);
    assert.match(same.stderr, /another directory/);
  });
});

/** A proxy that answers 429, drops the connection, or passes requests on. */
async function proxyOf(
  target: string,
  mode: () => 'limited' | 'cut' | 'passed',
): Promise<{ readonly url: string; readonly server: Server; cut(): number }> {
  let cut = 0;
  const server = createServer(async (request, response) => {
    if (mode() === 'limited') {
      response.writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}');
      return;
    }
    if (mode() === 'cut') {
      cut += 1;
      request.socket.destroy();
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = new Headers();
    for (const name of ['authorization', 'service-version', 'idempotency-key', 'content-type']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const passed = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    });
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { url: `http://127.0.0.1:${address.port}`, server, cut: () => cut };
}
