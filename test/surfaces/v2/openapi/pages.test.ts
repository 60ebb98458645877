import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '../../../../src/operations/operation-table.ts';
import { describeV2 } from '../../../../src/surfaces/v2/openapi/description.ts';
import { ERROR_CODES } from '../../../../src/vocabulary/error-codes.ts';
import { commonService, type TestService } from '../../../support/service.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, service.url), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('/v2/openapi.json', () => {
  test('is the description of this service, for anyone: without a key, without a version', async () => {
    const answer = await get('/v2/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.match(answer.headers.get('request-id') ?? '', /^req_/);
    const { publicUrl } = service.app.services;
    assert.equal(answer.text, JSON.stringify(describeV2(OPERATIONS, publicUrl)));
  });

  test('is not sent again to a client that has it', async () => {
    const first = await get('/v2/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    for (const tags of [etag, `"other", W/${etag}`]) {
      const again = await get('/v2/openapi.json', { 'if-none-match': tags });
      assert.equal(again.status, 304);
      assert.equal(again.text, '');
    }
    assert.equal((await get('/v2/openapi.json', { 'if-none-match': '"other"' })).status, 200);
  });
});

describe('/docs', () => {
  test('is made of nothing but files of this service, each of which is there', async () => {
    const page = await get('/docs');
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const targets = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
    const files = targets.filter((target) => target !== 'data:,');
    assert.ok(files.length >= 6);
    for (const file of files) {
      assert.match(
        file,
        /^(?:docs|v2)\/[\w.-]+$/,
        'relative to the page, so that a sub-path changes nothing',
      );
      const answer = await get(file);
      assert.equal(answer.status, 200, file);
      assert.ok(answer.text.length > 100, file);
    }
  });

  test('may load nothing from elsewhere and run nothing inline', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(?:;|$)/);
    assert.ok(!/https?:|\*|unsafe/.test(policy), policy);
  });

  test('with a slash at the end leads to the page, wherever the service is mounted', async () => {
    const answer = await get('/docs/');
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.get('location'), '../docs');
  });

  test('and the reference of errors lead to each other', async () => {
    assert.ok((await get('/docs/errors')).text.includes('href="../docs"'));
    assert.ok((await get('/docs')).text.includes('href="docs/errors"'));
  });
});

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

  test('the guides list every page of docs, and every link of every page leads somewhere', async () => {
    const files = (await readdir(new URL('../../../../docs/', import.meta.url))).filter((file) =>
      file.endsWith('.md'),
    );
    const guides = await get('/docs/guides');
    for (const file of files) assert.ok(guides.text.includes(`href="${file.slice(0, -3)}"`), file);
    const ids = new Map<string, Set<string>>();
    const links: { from: string; page: string; anchor: string }[] = [];
    for (const page of ['guides', ...files.map((file) => file.slice(0, -3))]) {
      const { status, text, headers } = await get(`/docs/${page}`);
      assert.equal(status, 200, page);
      assert.ok(!/unsafe|https?:/.test(headers.get('content-security-policy') ?? 'unsafe'), page);
      ids.set(page, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)));
      for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g)) {
        if (/^(?:https?:|data:|\.\.\/(?:docs)?$)/.test(href)) continue;
        const [target = '', anchor = ''] = href.split('#');
        links.push({ from: page, page: target === '' ? page : target, anchor });
      }
    }
    assert.ok(links.length > 50);
    for (const { from, page, anchor } of links) {
      const known = ids.get(page);
      assert.ok(known !== undefined, `${from} links to ${page}`);
      assert.ok(anchor === '' || known.has(anchor), `${from} links to ${page}#${anchor}`);
    }
  });

  test('is not sent again to a client that has it, and a page that does not exist is 404', async () => {
    const first = await get('/docs/webhooks');
    const again = await get('/docs/webhooks', { 'if-none-match': first.headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
    for (const path of ['/docs/nothing', '/docs/..%2Fpackage', '/docs/decisions'])
      assert.equal((await get(path)).status, 404, path);
  });
});

describe('/', () => {
  test('says what this is and leads to the operations and the guides', async () => {
    const page = await get('/');
    assert.equal(page.status, 200);
    for (const link of ['href="docs"', 'href="docs/guides"']) assert.ok(page.text.includes(link), link);
  });

  test('tells a person who linked without a return_url how it ended, and that the window can be closed', async () => {
    const done = await get('/?link_session=completed');
    assert.match(done.text, /Your bank or broker is linked[\s\S]*You can close this window/);
    const failed = await get('/?destination_link=failed&reason=access_denied');
    assert.match(failed.text, /Your destination was not linked[\s\S]*access_denied/);
    const hostile = await get('/?link_session=failed&reason=%3Cscript%3E');
    assert.ok(!hostile.text.includes('script>'));
  });
});
