import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventSignatureHeaders, newSigningSecret } from '../../../src/platform/webhook-signature.ts';
import { section } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';

test('the receiver of docs/events.md accepts what we sign and nothing else', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-page-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const [, text = ''] = /```js\n([\s\S]*?)```/.exec(section(readText('docs/events.md'), 'Signatures')) ?? [];
  const file = join(folder, 'verified.mjs');
  await writeFile(file, `${text}\nexport { verified };\n`);
  const { verified } = await import(file);

  const [secret, other] = [newSigningSecret(), newSigningSecret()];
  const body = Buffer.from('{"id":"evt_1","object":"event"}');
  const now = Math.floor(Date.now() / 1000);
  const signed = (secrets: readonly string[], at = now) =>
    eventSignatureHeaders(secrets, 'evt_1', at, body)['service-signature'];

  assert.equal(verified(body, signed([secret]), secret), true);
  assert.equal(verified(body, signed([other, secret]), secret), true, 'during a rotation');
  assert.equal(verified(body, signed([other]), secret), false, 'another secret');
  assert.equal(verified(body, signed([secret], now - 600), secret), false, 'ten minutes ago');
  assert.equal(verified(body, signed([secret], now + 600), secret), false, 'in ten minutes');
  assert.equal(verified(Buffer.from('{}'), signed([secret]), secret), false, 'another body');
  assert.equal(verified(body, `t=${now}`, secret), false, 'no signature');
  assert.equal(verified(body, '', secret), false, 'an empty header');
});
