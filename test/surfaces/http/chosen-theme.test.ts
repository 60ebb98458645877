import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { commonService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await commonService();
});
after(() => service?.close());

const PAGES = [
  '/sign-in',
  '/link/nothing',
  '/connect/nothing',
  '/oauth/authorize?client_id=x',
  '/docs/guides',
];

async function page(path: string, theme?: string) {
  const answer = await fetch(new URL(path, service.url), {
    headers: { accept: 'text/html', ...(theme !== undefined && { cookie: `tributary-theme=${theme}` }) },
  });
  return { answer, text: await answer.text() };
}

describe('the theme that a person chose', () => {
  for (const path of PAGES) {
    test(`is that of ${path}, which follows the device without a choice`, async () => {
      for (const theme of ['dark', 'light'])
        assert.ok((await page(path, theme)).text.includes(`<html lang="en" data-theme="${theme}">`), theme);
      for (const none of [undefined, '', 'auto', 'dark" onload="alert(1)', 'constructor'])
        assert.ok((await page(path, none)).text.includes('<html lang="en">'), none);
    });
  }

  test('is shown of a guide that the browser has in another theme', async () => {
    const dark = (await page('/docs/guides', 'dark')).answer.headers;
    const light = (await page('/docs/guides', 'light')).answer.headers;
    assert.match(dark.get('vary') ?? '', /cookie/);
    assert.notEqual(dark.get('etag'), light.get('etag'));
  });
});
