import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { serveInstallation } from '../../src/cli/serve-command.ts';
import { welcomeText } from '../../src/cli/welcome.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/read-config.ts';
import { CURRENT_RELEASE } from '../../src/vocabulary/service-version.ts';
import { startTributary, tributary } from './run-tributary.ts';
import { madeDataDir, temporaryDirectory } from './temporary-directory.ts';

const log = createLog({ level: 'silent' });
const API_KEY = /trib_live_[A-Za-z0-9]+/;

async function serves(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  return serveInstallation(readConfig({ DATA_DIR: dataDir, PORT: '0', ...more }), log, true);
}

async function whoAmI(url: string, secret: string): Promise<{ status: number; body: unknown }> {
  const answer = await request(`${url}/v2/me`, {
    headers: { authorization: `Bearer ${secret}`, 'service-version': CURRENT_RELEASE },
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

test('The first start in the sandbox shows one working key; the second shows no secret', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const first = await serves(dataDir);
  const shown = welcomeText(first.welcome);
  const secret = API_KEY.exec(shown)?.[0] ?? '';
  const { status, body } = await whoAmI(first.running.url, secret);
  await first.close();
  assert.equal(status, 200);
  assert.match(JSON.stringify(body), new RegExp(`"id":"${first.welcome.first?.account}"`));
  assert.match(shown, /curl .*\/v2\/me .*Service-Version: /);

  const second = await serves(dataDir);
  const again = welcomeText(second.welcome);
  const still = await whoAmI(second.running.url, secret);
  await second.close();
  assert.doesNotMatch(again, API_KEY);
  assert.equal(second.welcome.first, null);
  assert.equal(still.status, 200, 'the key of the first start goes on working');
});

test('Where no terminal shows it, the first API key stands in a private file that the message names, and nowhere else', async (t) => {
  for (const json of [[], ['--json']]) {
    const dataDir = await madeDataDir(t);
    const { child, ended, stdout } = startTributary(['serve', ...json], { DATA_DIR: dataDir, PORT: '0' });
    t.after(() => child.kill('SIGKILL'));
    while (!stdout().includes('first-api-key')) await new Promise((resolve) => setTimeout(resolve, 50));
    const file = join(dataDir, 'first-api-key');
    assert.match(stdout(), new RegExp(file));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout())?.[0] ?? '';
    assert.equal((await whoAmI(url, secret)).status, 200);
    child.kill('SIGTERM');
    const all = await ended;
    assert.doesNotMatch(all.stdout + all.stderr, API_KEY);
  }
});

test('The first start shows a link for the first person, each start a new one until there is somebody', async (t) => {
  const dataDir = await madeDataDir(t);
  const linkOf = (shown: string): string => /http:\/\/\S+\/first-run\/[\w-]{43}/.exec(shown)?.[0] ?? '';
  const first = await serves(dataDir);
  const link = linkOf(welcomeText(first.welcome));
  assert.equal((await fetch(link)).status, 200);
  for (const accept of ['text/html', '*/*']) {
    const opened = await fetch(first.welcome.url, { headers: { accept } });
    assert.match(opened.headers.get('content-type') ?? '', /^text\/html/, `a page, not JSON, for ${accept}`);
  }
  await first.close();
  const second = await serves(dataDir);
  const another = linkOf(welcomeText(second.welcome));
  assert.notEqual(another, link);
  const { pathname } = new URL(link);
  const sent = await fetch(new URL(pathname, second.running.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email: 'me@example.test', password: 'correct horse battery' }),
  });
  assert.equal(sent.status, 303, 'a link of an earlier start works, too');
  await second.close();
  const third = await serves(dataDir);
  const text = welcomeText(third.welcome);
  await third.close();
  assert.deepEqual([third.welcome.firstRun, linkOf(text)], [null, '']);
  assert.ok(text.includes(`Open it in a browser: ${third.welcome.appUrl}/`), text);
});

test('Where no terminal shows it, that link stands in a private file, and nowhere else', async (t) => {
  const dataDir = await madeDataDir(t);
  const { child, ended, stdout } = startTributary(['serve', '--json'], { DATA_DIR: dataDir, PORT: '0' });
  t.after(() => child.kill('SIGKILL'));
  while (!stdout().includes('first-run-link')) await new Promise((resolve) => setTimeout(resolve, 50));
  const file = join(dataDir, 'first-run-link');
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const link = (await readFile(file, 'utf8')).trim();
  assert.equal((await fetch(link)).status, 200);
  child.kill('SIGTERM');
  const all = await ended;
  assert.equal((all.stdout + all.stderr).includes(link.slice(-43)), false);
});

test('Outside the sandbox nobody is let in by default, and the start says how to make an account record', async (t) => {
  const dataDir = await madeDataDir(t);
  const served = await serves(dataDir, { SANDBOX: 'off' });
  const shown = welcomeText(served.welcome);
  await served.close();
  assert.equal(served.welcome.first, null);
  assert.doesNotMatch(shown, API_KEY);
  assert.match(shown, /tributary account create/);
});

test('Commands work through the running server, and on the storage when none runs', async (t) => {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir };
  const served = await serves(dataDir);
  const account = served.welcome.first?.account ?? '';
  const made = await tributary(
    ['key', 'create', '--account', account, '--name', 'k', '--scopes', 'account:read', '--json'],
    env,
  );
  assert.equal(made.stderr, '');
  const key: unknown = JSON.parse(made.stdout);
  assert.ok(typeof key === 'object' && key !== null && 'secret' in key && typeof key.secret === 'string');
  assert.equal((await whoAmI(served.running.url, key.secret)).status, 200);
  await served.close();

  const listed = await tributary(['account', 'list'], env);
  assert.equal(listed.code, 0);
  assert.match(listed.stdout, new RegExp(`^ID .*\\n${account}  owner@localhost`));
});

test('A second server on the same embedded data directory is refused; after SIGKILL the next one starts', async (t) => {
  const dataDir = await madeDataDir(t);
  const env = { DATA_DIR: dataDir, PORT: '0' };
  const victim = startTributary(['serve', '--json'], env);
  t.after(() => victim.child.kill('SIGKILL'));
  while (!victim.stdout().includes('\n')) await new Promise((resolve) => setTimeout(resolve, 50));
  const second = await tributary(['serve'], env);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /already running on the data directory .*Stop that process/);
  assert.equal(second.stdout, '');
  victim.child.kill('SIGKILL');
  await victim.ended;

  const successor = await serves(dataDir);
  assert.equal(successor.welcome.first, null, 'the account record of the killed server is there');
  assert.equal((await tributary(['account', 'list', '--json'], env)).code, 0);
  await successor.close();
});

test('SIGTERM ends a server in order with exit code 0', async (t) => {
  const dataDir = await madeDataDir(t);
  const { child, ended, stdout } = startTributary(['serve', '--json'], { DATA_DIR: dataDir, PORT: '0' });
  t.after(() => child.kill('SIGKILL'));
  while (!stdout().includes('\n')) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /Stopping/);
});

test('An invalid command line ends with exit code 2 and shows the usage', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const wrong: readonly [string[], RegExp][] = [
    [['acount'], /unknown command/],
    [['account', 'create'], /--email/],
    [['account', 'create', '--email', 'a@b.co', '--plan', 'gold'], /saver, developer, professional/],
    [['demo', '--rows', '0'], /whole number/],
    [['demo', '--rows', '5', '--data', 'x'], /cannot be used with/],
  ];
  for (const [args, message] of wrong) {
    const { code, stderr, stdout } = await tributary(args, { DATA_DIR });
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(stdout, '');
  }
});

test('A configuration that cannot be used names every variable and ends with exit code 1', async () => {
  const { code, stderr } = await tributary(['serve'], { PORT: 'x', SANDBOX: 'maybe' });
  assert.equal(code, 1);
  assert.match(stderr, /PORT/);
  assert.match(stderr, /SANDBOX/);
});
