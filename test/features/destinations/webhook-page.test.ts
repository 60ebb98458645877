import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { encodeTransaction } from '../../../src/connectors/destinations/webhook/rows.ts';
import { transactionSchema } from '../../../src/operations/v2/transactions/resource.ts';
import { newSigningSecret, signatureHeaders } from '../../../src/platform/webhook-signature.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { cell, plain, tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';
import { transaction } from '../rules/rows.ts';

const page = readText('docs/webhooks.md');
const secret = newSigningSecret();
const body = Buffer.from('{"id":"2b0e3c7e","data":{"new":[{"description":"Caf\u00e9"}]}}');

function headersAt(seconds: number, secrets: readonly string[] = [secret]): Record<string, string> {
  return signatureHeaders(secrets, '2b0e3c7e-5b0c-5a43-8a38-0f1f4ad3a111', Math.floor(seconds), body);
}

/** What a receiver must accept, and what it must not. */
function deliveries(other: string): [string, Record<string, string>, boolean][] {
  const now = Date.now() / 1000;
  return [
    ['a delivery signed just now', headersAt(now), true],
    ['a delivery signed while the secret is rotated', headersAt(now, [secret, other]), true],
    ['a delivery of ten minutes ago', headersAt(now - 600), false],
    ['a delivery signed with another secret', headersAt(now, [other]), false],
    [
      'a request without signatures',
      { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(now)) },
      false,
    ],
  ];
}

function example(language: string, holding: string): string {
  const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, text]) => name === language && text?.includes(holding));
  assert.ok(found?.[2] !== undefined, `${language} with ${holding}`);
  return found[2];
}

describe('the receivers of docs/webhooks.md accept what we send and nothing else', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tributary-page-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const other = newSigningSecret();

  test('in JavaScript without a library', async () => {
    const file = join(folder, 'verified.mjs');
    await writeFile(file, `${example('js', 'function verified')}\nexport { verified };\n`);
    const { verified } = await import(file);
    for (const [name, headers, genuine] of deliveries(other))
      assert.equal(verified(body, headers, secret), genuine, name);
  });

  test('in Python', async (t) => {
    if (spawnSync('python3', ['--version']).status !== 0) return t.skip('python3 is not on this machine');
    const file = join(folder, 'receiver.py');
    const ask =
      'import json, sys\nbody, headers, secret = json.load(sys.stdin)\nprint(verified(body.encode(), headers, secret))\n';
    await writeFile(file, `${example('python', 'def verified')}\n${ask}`);
    for (const [name, headers, genuine] of deliveries(other)) {
      const input = JSON.stringify([body.toString('utf8'), headers, secret]);
      const { stdout, stderr } = spawnSync('python3', [file], { input, encoding: 'utf8' });
      assert.equal(stdout.trim(), genuine ? 'True' : 'False', `${name}: ${stderr}`);
    }
  });
});

test('the map of fields names every member of a webhook row, and fields that v2 has', () => {
  const rows = tableRows(page, 'Fields here and in v2');
  const account = {
    id: rowId('account', '0192f0c4-0000-7000-8000-000000000001'),
    name: 'Everyday',
    institution: 'A bank',
    type: 'transaction',
    maskedNumber: null,
  } as const;
  const sent = JSON.parse(
    encodeTransaction({
      account,
      transaction: transaction(),
      customCategory: null,
      memo: null,
      tags: [],
      replaces: null,
    }),
  );
  const named = rows.flatMap((row) => cell(row, 'Webhook row').split(', ').map(plain));
  assert.deepEqual(named.toSorted(), Object.keys(sent).toSorted());
  const fields = new Set(Object.keys(transactionSchema.properties));
  for (const row of rows) {
    const [, field] = /^`(\w+)/.exec(cell(row, 'v2 transaction')) ?? [];
    if (field !== undefined && field !== 'name') assert.ok(fields.has(field), field);
  }
});
