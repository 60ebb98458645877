import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { newOpaqueSecret } from '../../../src/platform/random-text.ts';
import { GUIDE_FOLDERS, GUIDE_GROUPS } from '../../../src/surfaces/docs/guide-groups.ts';
import { everyOperation } from '../../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../../src/vocabulary/description/description-document.ts';
import { EXAMPLES } from '../../../src/vocabulary/description/examples.ts';
import { fieldsOf } from '../../../src/vocabulary/description/fields.ts';
import { sampleRequest, sampleValues } from '../../../src/vocabulary/description/sample-request.ts';
import { ERROR_CODES } from '../../../src/vocabulary/error-codes.ts';
import { commonService, type TestService } from '../../support/service.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

let service: TestService;
let description: Description;
before(async () => {
  service = await commonService();
  description = JSON.parse((await get('/v2/openapi.json')).text);
});
after(() => service?.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, service.url), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (found) => entities[found] ?? '');
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const files = await readdir(new URL(folder, FOLDER));
  return files.filter((file) => file.endsWith('.md')).map((file) => `${folder}${file.slice(0, -3)}`);
}

describe('/docs', () => {
  test('has every operation of the description, each of which leads to a page of its own', async () => {
    const { status, text, headers } = await get('/docs');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const shown = everyOperation(description).filter(({ id }) => !id.endsWith('_by_patch'));
    assert.ok(shown.length > 90);
    for (const { id, path, summary } of shown) {
      assert.ok(text.includes(`href="docs/operations/${id}"`), id);
      assert.ok(text.includes(escaped(path)) && text.includes(escaped(summary)), id);
    }
  });

  test('says of an operation what the description and the application say of it', async () => {
    const { schemas } = description.components;
    for (const operation of everyOperation(description)) {
      const { status, text } = await get(`/docs/operations/${operation.id}`);
      assert.equal(status, 200, operation.id);
      const request = sampleRequest(operation, description, sampleValues(operation, description));
      const json = operation.answers['application/json'];
      const said = [
        operation.summary,
        operation.path,
        ...operation.scopes,
        ...operation.parameters.map(({ name }) => name),
        ...(operation.body === null ? [] : fieldsOf(operation.body.schema, schemas)).map(({ name }) => name),
        ...(json === undefined ? [] : fieldsOf(json.schema, schemas)).map(({ name }) => name),
        ...operation.errors.map(({ code }) => code),
        ...Object.values(EXAMPLES).map(({ write }) => write(request)),
      ];
      for (const one of said) assert.ok(text.includes(escaped(one)), `${operation.id}: ${one}`);
    }
  });

  test('is searched by paths, names and scopes, and repeats what was searched for as text', async () => {
    const found = await get('/docs?q=syncs%3Awrite+POST');
    assert.ok(found.text.includes('docs/operations/create_sync"'));
    assert.ok(!found.text.includes('docs/operations/list_accounts'));
    assert.equal(found.headers.get('cache-control'), 'no-store');
    const hostile = await get(`/docs?q=${encodeURIComponent('<script>"')}`);
    assert.ok(!hostile.text.includes('<script>'));
    assert.match(hostile.text, /Nothing matches/);
  });

  test('may load nothing and run nothing', async () => {
    for (const path of ['/docs', '/docs/operations/list_accounts', '/docs/guides', '/docs/nothing']) {
      const { headers, text } = await get(path, { accept: 'text/html' });
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.ok(!/script-src|https?:|\*|unsafe/.test(policy), policy);
      assert.ok(!/<script|src="/.test(text), path);
    }
  });

  test('an address of many parts gets no longer an answer for it', async () => {
    const short = await get('/docs/nothing', { accept: 'text/html' });
    for (const path of [`/docs/${'x/'.repeat(7)}`, `/docs${'/'.repeat(5_000)}`]) {
      const long = await get(path, { accept: 'text/html' });
      assert.equal(long.status, 404);
      assert.ok(long.text.length < short.text.length + 2_000, `${path.length}: ${long.text.length}`);
    }
  });

  test('with a trailing slash leads to the page, wherever the service is mounted', async () => {
    const answer = await get('/docs/');
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.get('location'), '../docs');
  });

  test('has the frame of the application for browsers with a session, and a header of its own for others', async () => {
    const name = service.app.signIn.cookies.session;
    for (const path of ['/docs', '/docs/guides', '/docs/errors', '/docs/operations/list_accounts']) {
      const stranger = await get(path);
      const signedIn = await get(path, { cookie: `${name}=${newOpaqueSecret()}` });
      assert.ok(!stranger.text.includes('aria-label="Main"'), path);
      assert.match(stranger.text, /href="[./]*sign-in"/);
      assert.match(signedIn.headers.get('vary') ?? '', /cookie/);
      assert.equal(signedIn.text.includes('aria-label="Main"'), await hasApp(), path);
    }
  });
});

/** Whether the web application is built, whose frame the pages take. */
async function hasApp(): Promise<boolean> {
  return (await get('/static/icon.svg')).status === 200;
}

describe('/docs/{page}', () => {
  test('doc_url leads to what happened, what to do and an example, for every code', async () => {
    const { text } = await get('/docs/errors');
    const sections = text.split('<h3 ').slice(1);
    for (const code of Object.keys(ERROR_CODES)) {
      const section = sections.find((part) => part.startsWith(`id="${code}">`)) ?? '';
      for (const part of ['What happened', 'What to do', 'Example'])
        assert.ok(section.includes(`<strong>${part}.</strong>`), `${code}: ${part}`);
    }
  });

  test('every file of docs is in exactly one group of the guides', async () => {
    const grouped = GUIDE_GROUPS.flatMap(({ pages }) => pages);
    assert.deepEqual([...grouped].toSorted(), [...(await filesOf(''))].toSorted());
  });

  test('every folder of docs with pages is a group of the guides, but that of examples', async () => {
    const entries = await readdir(FOLDER, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'examples');
    assert.deepEqual(
      folders.map(({ name }) => name).toSorted(),
      GUIDE_FOLDERS.map(({ folder }): string => folder).toSorted(),
    );
  });

  test('the guides list every page, and every link of every page leads somewhere', async () => {
    const folders = ['', ...GUIDE_FOLDERS.map(({ folder }) => `${folder}/`)];
    const files = (await Promise.all(folders.map(filesOf))).flat();
    const guides = await get('/docs/guides');
    for (const file of files) assert.ok(guides.text.includes(`href="${file}"`), file);
    const ids = new Map<string, Set<string>>();
    const links: { from: string; to: URL }[] = [];
    for (const page of ['guides', ...files]) {
      const { status, text } = await get(`/docs/${page}`);
      assert.equal(status, 200, page);
      const address = new URL(`/docs/${page}`, service.url);
      ids.set(address.pathname, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g)) {
        if (!/^(?:https?:|data:)/.test(href)) links.push({ from: page, to: new URL(href, address) });
      }
    }
    assert.ok(links.length > 500);
    const others = new Set<string>();
    for (const { from, to } of links) {
      const known = ids.get(to.pathname);
      if (known === undefined) others.add(to.pathname);
      else assert.ok(to.hash === '' || known.has(to.hash.slice(1)), `${from} links to ${to}`);
    }
    assert.deepEqual([...others].toSorted(), ['/', '/docs', '/sign-in', '/v2/openapi.json']);
  });

  test('guides are found by their titles', async () => {
    const { text } = await get('/docs/guides?q=WEBHOOKS');
    const listed = [...text.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href);
    assert.deepEqual(listed, ['webhooks']);
    assert.match((await get('/docs/guides?q=unicorns')).text, /No guide has “unicorns” in its title/);
  });

  test('is not sent again to a client that has it', async () => {
    const first = await get('/docs/webhooks');
    const again = await get('/docs/webhooks', { 'if-none-match': first.headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
  });

  test('that does not exist leads browsers to the guides, the reference and home, and programs get JSON', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/..%2Fpackage',
      '/docs/decisions',
      '/docs/consoles/nothing',
      '/docs/operations/nothing',
    ]) {
      const page = await get(path, { accept: 'text/html' });
      assert.equal(page.status, 404, path);
      const targets = [...page.text.matchAll(/ href="([^"]+)"/g)].map(
        ([, href = '']) => new URL(href, new URL(path, service.url)).pathname,
      );
      for (const target of ['/docs/guides', '/docs', '/'])
        assert.ok(targets.includes(target), `${path} to ${target}`);
      const program = await get(path, { accept: 'application/json' });
      assert.equal(program.status, 404);
      assert.equal(JSON.parse(program.text).error.code, 'route_missing');
    }
  });
});
