import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { describeV2 } from '../../src/surfaces/v2/openapi/description.ts';
import { NOUNS } from '../../src/surfaces/v2/openapi/noun-table.ts';
import { Words } from '../../src/surfaces/v2/openapi/words.ts';
import { OPERATIONS } from '../../src/surfaces/v2/operation-table.ts';
import { ERROR_CODES } from '../../src/vocabulary/error-codes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, service.url), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('/v2/openapi.json', () => {
  test('is the description of this service, for anybody: without a key, without a version', async () => {
    const answer = await get('/v2/openapi.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.match(answer.headers.get('request-id') ?? '', /^req_/);
    const { publicUrl } = service.app.services;
    assert.equal(answer.text, JSON.stringify(describeV2(OPERATIONS, new Words(NOUNS), publicUrl)));
  });

  test('is not sent again to whoever has it', async () => {
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

  test('and the reference of errors lead to each other, and every code has its anchor', async () => {
    const errors = await get('/docs/errors');
    assert.ok(errors.text.includes('href="../docs"'));
    assert.ok((await get('/docs')).text.includes('href="docs/errors"'));
    for (const code of Object.keys(ERROR_CODES)) assert.ok(errors.text.includes(`id="${code}"`), code);
  });
});
