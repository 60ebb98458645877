import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { completeConsent, formsOf } from '../../../src/surfaces/cli/consent-pages.ts';

const RETURN_URL = 'http://127.0.0.1:1/back?x=1';

/** A site of pages by `METHOD /path`; `redirect:` pages send the browser on. Remembers what was posted. */
async function site(t: TestContext, pages: Readonly<Record<string, string>>) {
  const posted: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += String(part);
    if (request.method === 'POST') posted.push(body);
    const page = pages[`${request.method} ${request.url}`];
    if (page === undefined) response.writeHead(404).end('<h1>Lost</h1>');
    else if (page.startsWith('redirect:')) response.writeHead(303, { location: page.slice(9) }).end();
    else response.end(page);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { url: `http://127.0.0.1:${address.port}`, posted };
}

const signal = AbortSignal.timeout(10_000);

test('A consent is walked page by page: forms, choices, redirects, until the return address', async (t) => {
  const { url, posted } = await site(t, {
    'GET /start':
      '<form method="post" action="/login"><button>Continue</button></form><form method="post" action="/cancel"></form>',
    'POST /login':
      '<form method="post" action="/accounts"><input type="radio" name="customer" value="a" checked><input type="radio" name="customer" value="b&amp;c"></form>',
    'POST /accounts':
      '<form method="post" action="done"><input type="hidden" name="h" value="&quot;"><input type="checkbox" name="acc" value="1" checked><input type="checkbox" name="acc" value="2"><button name="outcome" value="approve">Yes</button><button name="outcome" value="deny">No</button></form>',
    'POST /done': 'redirect:/last',
    'GET /last': 'redirect:http://127.0.0.1:1/back?x=1&link_session=completed',
  });
  const end = await completeConsent(`${url}/start`, RETURN_URL, { customer: 'b&c', signal });
  assert.equal(end.searchParams.get('link_session'), 'completed');
  assert.deepEqual(posted, ['', 'customer=b%26c', 'h=%22&acc=1&outcome=approve']);
});

test('A customer the page does not offer goes into its field for others', async (t) => {
  const { url, posted } = await site(t, {
    'GET /':
      '<form method="post" action="/x"><input type="radio" name="customer" value="a" checked><input type="text" name="other_customer"></form>',
    'POST /x': `<a href="${RETURN_URL.replace('&', '&amp;')}">Back</a>`,
  });
  await completeConsent(`${url}/`, RETURN_URL, { customer: 'rows:5', signal });
  assert.deepEqual(posted, ['other_customer=rows%3A5']);
});

test('Dead ends are reported in the page’s own words', async (t) => {
  const { url } = await site(t, {
    'GET /alert': '<p role="alert">The bank <b>sleeps</b>.</p><form method="post" action="/x"></form>',
    'GET /end': '<h1>Session expired</h1>',
    'GET /loop': 'redirect:/loop',
  });
  const walk = (path: string) =>
    completeConsent(`${url}${path}`, RETURN_URL, { customer: undefined, signal });
  await assert.rejects(walk('/alert'), /The bank sleeps/);
  await assert.rejects(walk('/end'), /Session expired/);
  await assert.rejects(walk('/none'), /404: Lost/);
  await assert.rejects(walk('/loop'), /did not end/);
});

test('A service that cannot be reached at its public address is reached where it answers', async (t) => {
  const { url } = await site(t, { 'GET /link/1': `redirect:${RETURN_URL}` });
  const reachedAt = new Map([['https://tributary.example', url]]);
  const end = await completeConsent('https://tributary.example/link/1', RETURN_URL, {
    customer: undefined,
    signal,
    reachedAt,
  });
  assert.equal(end.href, RETURN_URL);
});

test('Forms are read as a browser reads them', () => {
  const [form] = formsOf(
    "<FORM METHOD=post action='/a?b=1&amp;c=2'><input name=x value=1><INPUT type='checkbox' name=y CHECKED></FORM>",
  );
  assert.equal(form?.method, 'post');
  assert.equal(form?.action, '/a?b=1&c=2');
  assert.deepEqual(form?.fields, [
    { name: 'x', kind: 'text', value: '1', checked: false },
    { name: 'y', kind: 'checkbox', value: '', checked: true },
  ]);
});

test('Cookies go back to the origin that set them, and to no other', async (t) => {
  const seen: (string | undefined)[] = [];
  const open = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server = createServer((request, response) => {
      seen.push(request.headers.cookie);
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  };
  const bank: string = await open((_request, response) =>
    response.writeHead(303, { location: `${hub}/connect/return` }).end(),
  );
  const hub: string = await open((request, response) => {
    if (request.url === '/connect/return') response.writeHead(303, { location: RETURN_URL }).end();
    else response.writeHead(303, { location: bank, 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly'] }).end();
  });
  await completeConsent(`${hub}/link`, RETURN_URL, { customer: undefined, signal });
  assert.deepEqual(seen, [undefined, undefined, 'a=1; b=2']);
});
