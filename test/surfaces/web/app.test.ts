import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cookieNames } from '../../../src/features/sign-in/session-cookie.ts';
import { newOpaqueSecret } from '../../../src/platform/random-text.ts';
import { registerHomePage } from '../../../src/surfaces/hosted/home-page.ts';
import { readAppFiles, registerApp } from '../../../src/surfaces/web/app-routes.ts';
import { LANGUAGE_COOKIE } from '../../../src/vocabulary/languages.ts';
import { httpFrame, listening } from '../../support/http-frame.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const PAGE =
  '<!doctype html><html lang="en"><head><base href="/"><meta name="simulated" content="" /><title>app</title><script type="module" src="./assets/main-Ab3.js"></script></head>';
const SIMULATED = '<meta name="simulated" content="" />';
const SCRIPT = `export const text = '${'compressible '.repeat(500)}';`;
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The service with a small application built into a folder of its own. */
async function serving(
  t: TestContext,
  {
    appUrl = 'http://app.test',
    simulated = ['a_bank', 'sheets'],
    notOffered = ['files'],
    exchangeRates = [{ from: 'eur', to: 'aud', rate: '1.650' }],
  } = {},
) {
  const folder = await scratchDirectory();
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(`${folder}/assets`);
  await mkdir(`${folder}/static`);
  await writeFile(`${folder}/index.html`, PAGE);
  await writeFile(`${folder}/manifest.json`, '{}');
  await writeFile(`${folder}/assets/main-Ab3.js`, SCRIPT);
  await writeFile(`${folder}/assets/words-de-Cd4.js`, SCRIPT);
  await writeFile(`${folder}/static/icon.svg`, '<svg/>');
  const files = await readAppFiles(pathToFileURL(`${folder}/`));
  assert.ok(files);
  const frame = httpFrame();
  const cookies = cookieNames(appUrl);
  registerHomePage(
    frame.server,
    registerApp(frame.server, frame.surfaces, files, {
      appUrl,
      cookies,
      failures: frame.failures,
      simulated,
      notOffered,
      exchangeRates,
    }),
    { isAwaited: async () => false },
  );
  const { url, close } = await listening(frame);
  t.after(close);
  const signedIn = { cookie: `${cookies.session}=${newOpaqueSecret()}` };
  return {
    signedIn,
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(url + path, { method, headers: { ...HTML, ...headers }, redirect: 'manual' }),
  };
}

test('every page of the application answers with the page it starts from', async (t) => {
  const { get, signedIn } = await serving(t);
  for (const path of ['/', '/connections', '/connections/new', '/connections/conn_1?x=y']) {
    const answer = await get(path, signedIn);
    const text = PAGE.replace(
      SIMULATED,
      '<meta name="simulated" content="a_bank sheets"><meta name="not-offered" content="files"><meta name="exchange-rates" content="EUR:AUD=1.650">',
    );
    assert.deepEqual([answer.status, await answer.text()], [200, text], path);
  }
});

test('the page is in the language that was chosen, else in the one that the browser prefers, else in English', async (t) => {
  const { get, signedIn } = await serving(t);
  const languageOf = async (wanted: string, chosen?: string) => {
    const cookie = chosen === undefined ? '' : `; ${LANGUAGE_COOKIE}=${chosen}`;
    const answer = await get('/', { cookie: signedIn.cookie + cookie, 'accept-language': wanted });
    assert.match(answer.headers.get('vary') ?? '', /cookie, accept-language/);
    const text = await answer.text();
    const scripts = [...text.matchAll(/<script type="module"[^>]*src="([^"]+)"/g)].map((match) => match[1]);
    const german = /<html lang="de">/.test(text);
    assert.deepEqual(
      scripts,
      german ? ['./assets/words-de-Cd4.js', './assets/main-Ab3.js'] : ['./assets/main-Ab3.js'],
    );
    return /<html lang="(\w+)">/.exec(text)?.[1];
  };
  assert.equal(await languageOf('de-AT,de;q=0.9,en;q=0.8'), 'de');
  assert.equal(await languageOf('pt-BR,de;q=0.5,en;q=0.4'), 'de');
  assert.equal(await languageOf('en-AU,de;q=0.9'), 'en');
  assert.equal(await languageOf('de;q=0,en'), 'en');
  assert.equal(await languageOf('*'), 'en');
  assert.equal(await languageOf('de', 'en'), 'en');
  assert.equal(await languageOf('en', 'de'), 'de');
  assert.equal(await languageOf('de', '"><script>'), 'de');
  // Not in this build.
  assert.equal(await languageOf('fr'), 'en');
});

test('an address outside the application leads nowhere, also to who is signed in', async (t) => {
  const { get, signedIn } = await serving(t);
  for (const path of [
    '/nowhere',
    '/connections/conn_1/more',
    '/manifest.json',
    '/assets/gone.js',
    '/assets/..%2findex.html',
  ])
    assert.equal((await get(path, signedIn)).status, 404, path);
  assert.equal((await get('/connections', signedIn, 'POST')).status, 405);
});

test('who has no session is sent to sign in, and from there to where they wanted to be', async (t) => {
  for (const [appUrl, base] of [
    ['http://app.test', ''],
    ['https://app.test/money', '/money'],
  ] as const) {
    const { get } = await serving(t, { appUrl });
    const answer = await get('/connections/new?a=b&c=//evil.test');
    assert.equal(answer.status, 303);
    const to = new URL(answer.headers.get('location') ?? '', appUrl);
    assert.equal(to.pathname, `${base}/sign-in`);
    assert.equal(to.searchParams.get('next'), `${base}/connections/new?a=b&c=//evil.test`);
    const home = await get('/');
    assert.equal(new URL(home.headers.get('location') ?? '', appUrl).searchParams.get('next'), `${base}/`);
  }
});

test('the content security policy allows nothing inside the page, nothing from elsewhere and no frame', async (t) => {
  const { get, signedIn } = await serving(t);
  const { headers } = await get('/connections', signedIn);
  const policy = headers.get('content-security-policy') ?? '';
  assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/);
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.split('; ').includes(directive), directive);
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('a file whose name changes with its content is asked for once; the page and the rest are asked for again', async (t) => {
  const { get, signedIn } = await serving(t);
  const script = await get('/assets/main-Ab3.js');
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(script.headers.get('x-content-type-options'), 'nosniff');
  for (const path of ['/connections', '/static/icon.svg']) {
    const first = await get(path, signedIn);
    assert.match(first.headers.get('cache-control') ?? '', /no-cache/, path);
    const again = await get(path, { ...signedIn, 'if-none-match': first.headers.get('etag') ?? '' });
    assert.equal(again.status, 304, path);
  }
});

test('files are sent compressed to those who take that', async (t) => {
  const { get } = await serving(t);
  for (const encoding of ['br', 'gzip']) {
    const answer = await get('/assets/main-Ab3.js', { 'accept-encoding': encoding });
    assert.equal(answer.headers.get('content-encoding'), encoding);
    assert.equal(await answer.text(), SCRIPT);
  }
});

test('below a path of its own every address in the page is relative to that path', async (t) => {
  const { get, signedIn } = await serving(t, { appUrl: 'http://app.test/money' });
  const answer = await get('/connections', signedIn);
  assert.match(await answer.text(), /<base href="\/money\/">/);
});

test('the page says which integrations are simulated, and nothing where none is', async (t) => {
  for (const simulated of [['a_bank'], []]) {
    const { get, signedIn } = await serving(t, { simulated });
    const text = await (await get('/connections', signedIn)).text();
    assert.ok(text.includes(`<meta name="simulated" content="${simulated.join(' ')}">`));
  }
});

test('at / programs and those who come back from linking get the page of the service', async (t) => {
  const { get, signedIn } = await serving(t);
  const program = await get('/', { ...signedIn, accept: '*/*' });
  assert.match(await program.text(), /This is Tributary/);
  const back = await get('/?link_session=completed', signedIn);
  assert.match(await back.text(), /Your bank or broker is linked/);
});

test('where nothing was built there is no application, and a file of an unknown type is refused', async (t) => {
  const folder = await scratchDirectory();
  t.after(() => rm(folder, { recursive: true, force: true }));
  const url = pathToFileURL(`${folder}/`);
  assert.equal(await readAppFiles(url), null);
  await writeFile(`${folder}/index.html`, PAGE);
  assert.deepEqual(await readAppFiles(url), { page: PAGE, files: new Map() });
  await mkdir(`${folder}/assets`);
  await writeFile(`${folder}/assets/song.mp3`, '');
  await assert.rejects(readAppFiles(url), /assets\/song\.mp3/);
});
