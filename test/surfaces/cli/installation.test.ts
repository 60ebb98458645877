import assert from 'node:assert/strict';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { request } from 'undici';
import { type ServedInstallation, serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { welcomeText } from '../../../src/surfaces/cli/welcome.ts';
import { CURRENT_RELEASE } from '../../../src/vocabulary/service-version.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { THOROUGH } from '../../support/thorough.ts';
import { startTributary, tributary, tributaryInProcess } from './run-tributary.ts';
import { madeDataDir, temporaryDirectory } from './temporary-directory.ts';

const UNIT = new URL('../../../deploy/tributary.service', import.meta.url);
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

/** Starts of one installation, one after another. */
describe('An installation that is started several times', () => {
  let dataDir = '';
  let served: ServedInstallation;
  let [secret, account, link] = ['', '', ''];
  const linkOf = (shown: string): string => /http:\/\/\S+\/first-run\/[\w-]{43}/.exec(shown)?.[0] ?? '';

  before(async () => {
    dataDir = await scratchDirectory();
    // Otherwise the first start makes the database as well, as that of the demo does.
    if (!THOROUGH) await seedDataDir(dataDir);
    served = await serves(dataDir);
  });
  after(async () => {
    await served.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('The first start in the sandbox shows one working key', async () => {
    const shown = welcomeText(served.welcome);
    secret = API_KEY.exec(shown)?.[0] ?? '';
    account = served.welcome.first?.account ?? '';
    const { status, body } = await whoAmI(served.running.url, secret);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), new RegExp(`"id":"${account}"`));
    assert.match(shown, /curl .*\/v2\/me .*Service-Version: /);
  });

  test('The first start shows a link for the first person, to a page', async () => {
    link = linkOf(welcomeText(served.welcome));
    assert.equal((await fetch(link)).status, 200);
    for (const accept of ['text/html', '*/*']) {
      const opened = await fetch(served.welcome.url, { headers: { accept } });
      assert.match(
        opened.headers.get('content-type') ?? '',
        /^text\/html/,
        `a page, not JSON, for ${accept}`,
      );
    }
  });

  test('Commands work through the running server, and on the storage when none runs', async () => {
    const env = { DATA_DIR: dataDir };
    const made = await tributary(
      ['key', 'create', '--account', account, '--name', 'k', '--scopes', 'account:read', '--json'],
      env,
    );
    assert.equal(made.stderr, '');
    const key: unknown = JSON.parse(made.stdout);
    assert.ok(typeof key === 'object' && key !== null && 'secret' in key && typeof key.secret === 'string');
    assert.equal((await whoAmI(served.running.url, key.secret)).status, 200);
    await served.close();

    const listed = await tributaryInProcess(['account', 'list'], env);
    assert.equal(listed.code, 0);
    assert.match(listed.stdout, new RegExp(`^ID .*\\n${account}  owner@localhost`));
  });

  test('The second start shows no secret, and a new link until there is someone', async () => {
    served = await serves(dataDir);
    const again = welcomeText(served.welcome);
    assert.doesNotMatch(again, API_KEY);
    assert.equal(served.welcome.first, null);
    const still = await whoAmI(served.running.url, secret);
    assert.equal(still.status, 200, 'the key of the first start goes on working');
    assert.notEqual(linkOf(again), '');
    assert.notEqual(linkOf(again), link);
    const { pathname } = new URL(link);
    const sent = await fetch(new URL(pathname, served.running.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'me@example.test', password: 'correct horse battery' }),
    });
    assert.equal(sent.status, 303, 'a link of an earlier start works, too');
    await served.close();
    served = await serves(dataDir);
    const text = welcomeText(served.welcome);
    assert.deepEqual([served.welcome.firstRun, linkOf(text)], [null, '']);
    assert.ok(text.includes(`Open it in a browser: ${served.welcome.appUrl}/`), text);
  });
});

for (const json of [[], ['--json']]) {
  describe(`A server that no terminal shows${json.length === 0 ? '' : ', with --json'}`, () => {
    let dataDir = '';
    let server: ReturnType<typeof startTributary>;
    const secrets: string[] = [];
    const env = () => ({ DATA_DIR: dataDir, PORT: '0' });

    before(async () => {
      dataDir = await scratchDirectory();
      await seedDataDir(dataDir);
      server = startTributary(['serve', ...json], env());
      const shown = () => ['first-api-key', 'first-run-link'].every((name) => server.stdout().includes(name));
      while (!shown()) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    after(async () => {
      server.child.kill('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    });

    /** What is in a file that only its owner may read, and that the server has named. */
    async function privately(name: string): Promise<string> {
      const file = join(dataDir, name);
      assert.match(server.stdout(), new RegExp(file));
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      const text = (await readFile(file, 'utf8')).trim();
      secrets.push(text.slice(-43));
      return text;
    }

    test('The first API key is in a private file that the message names', async () => {
      const secret = await privately('first-api-key');
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stdout())?.[0] ?? '';
      assert.equal((await whoAmI(url, secret)).status, 200);
    });

    test('The link for the first person is in a private file that the message names', async () => {
      assert.equal((await fetch(await privately('first-run-link'))).status, 200);
    });

    if (json.length === 0) {
      test('A second server on the same embedded data directory is refused; after SIGKILL the next one starts', async () => {
        const second = await tributary(['serve'], env());
        assert.equal(second.code, 1);
        assert.match(second.stderr, /already running on the data directory .*Stop that process/);
        assert.equal(second.stdout, '');
        server.child.kill('SIGKILL');
        await server.ended;
        const successor = await serves(dataDir);
        assert.equal(successor.welcome.first, null, 'the account record of the killed server is there');
        const listed = await tributaryInProcess(['account', 'list', '--json'], { DATA_DIR: dataDir });
        assert.equal(listed.code, 0, listed.stderr);
        await successor.close();
      });
    } else {
      test('SIGTERM ends a server in order with exit code 0', async () => {
        server.child.kill('SIGTERM');
        const { code, stderr } = await server.ended;
        assert.equal(code, 0, stderr);
        assert.match(stderr, /Stopping/);
      });
    }

    test('Key and link are nowhere in what the server has printed', async () => {
      const { stdout, stderr } = await server.ended;
      assert.equal(secrets.length, 2);
      for (const secret of secrets) assert.equal((stdout + stderr).includes(secret), false);
      assert.doesNotMatch(stdout + stderr, API_KEY);
    });
  });
}

test('Outside the sandbox no one is let in by default, and the start says how to make an account record', async (t) => {
  const dataDir = await madeDataDir(t);
  const served = await serves(dataDir, { SANDBOX: 'off' });
  const shown = welcomeText(served.welcome);
  await served.close();
  assert.equal(served.welcome.first, null);
  assert.doesNotMatch(shown, API_KEY);
  assert.match(shown, /tributary account create/);
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
  for (const [at, [args, message]] of wrong.entries()) {
    const run = at === 0 ? tributary : tributaryInProcess;
    const { code, stderr, stdout } = await run(args, { DATA_DIR });
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.equal(stdout, '');
  }
});

test('A configuration that cannot be used names every variable and ends with exit code 4, after which the unit does not start again', async () => {
  const { code, stderr } = await tributary(['serve'], { PORT: 'x', SANDBOX: 'maybe' });
  assert.equal(code, 4);
  assert.match(await readFile(UNIT, 'utf8'), /^RestartPreventExitStatus=4$/m);
  assert.match(stderr, /PORT/);
  assert.match(stderr, /SANDBOX/);
});
