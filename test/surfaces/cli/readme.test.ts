import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { demo } from '../../../src/app/demo/demo.ts';
import { Progress, showDemo } from '../../../src/app/demo/demo-output.ts';
import { createLog } from '../../../src/platform/log.ts';
import { FIRST_START_MIB } from '../../../src/storage/embedded/new-database.ts';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { startService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const README = text('README.md');

interface Call {
  readonly url: string;
  readonly body: string | null;
}

/** Every `call` of the shell examples, in order. */
function calls(): readonly Call[] {
  const lines = README.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => line.startsWith('call ') || line.startsWith("call '"))
    .map((line) => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      const data = words.indexOf('-d');
      const url = words.find((word) => word.startsWith('http://')) ?? assert.fail(line);
      return { url, body: data === -1 ? null : (words[data + 1] ?? assert.fail(line)) };
    });
}

test('Every call that the README shows works, and the rule of its example finds rows', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const known = new Map([['acct', await linkedAccount()]]);
  const filled = (word: string): string =>
    word
      .replaceAll('http://127.0.0.1:8780', service.url)
      .replace(/\b(acct|dest|sync|rset)_…/g, (_, prefix: string) => known.get(prefix) ?? assert.fail(word));
  let preview: Json = null;
  const shown = calls();
  assert.ok(shown.length > 10, 'the examples were found');
  for (const { url, body } of shown) {
    const answer = await fetch(filled(url), {
      headers: {
        authorization: `Bearer ${owner.key}`,
        'service-version': /Service-Version: ([\w.-]+)/.exec(README)?.[1] ?? '',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { method: 'POST', body: filled(body) }),
    });
    const json: Json = await answer.json();
    assert.ok(answer.ok, `${url} ${answer.status} ${JSON.stringify(json)}`);
    if (typeof json.id === 'string') known.set(json.id.split('_')[0], json.id);
    if (json.object === 'ruleset_preview') preview = json;
  }
  assert.ok(preview.totals.matched > 0, JSON.stringify(preview?.totals));

  /** By the command of the README. */
  async function linkedAccount(): Promise<string> {
    const options = /^npx tributary link (.*)$/m.exec(README)?.[1] ?? assert.fail();
    const args = Object.fromEntries(
      [...options.matchAll(/--(\S+) (\S+)/g)].map(([, name, value]) => [name, value]),
    );
    const signal = AbortSignal.timeout(60_000);
    await link.run(
      { app: service.app, url: service.url, signal },
      { ...args, account: publicId('account_record', owner.record.id) },
    );
    const { body } = await owner.v2('GET', '/v2/accounts');
    return body.data[0].id;
  }
});

test('The demo prints the table that the README shows', async () => {
  const result = await demo(
    { data: undefined, rows: undefined, keep: false },
    {
      env: {},
      log: createLog({ level: 'silent' }),
      progress: new Progress({ write: () => undefined }),
      makeDatabase: seedDataDir,
    },
  );
  // How many rows the simulated banks have depends on the day, and the seconds on the machine.
  const shape = (shown: string): string =>
    shown
      .trim()
      .replaceAll(/[\d,.]*\d{2}[\d,.]*|\d+\.\d/g, 'N')
      .replaceAll(/ +/g, ' ');
  const example = /```text\n(accounts [\s\S]*?)```/.exec(README)?.[1] ?? assert.fail();
  assert.equal(shape(showDemo(result)), shape(example));
});

test('README, self-hosting and the benchmarks give the same figures of memory', () => {
  const [first, restart, sync] = [
    /^\| a first start[^|]*\|[^|]*\| (\d+ to \d+) MiB/m,
    /^\| a restart \|[^|]*\| (\d+ to \d+) MiB/m,
    /^\| a restart and a sync[^|]*\|[^|]*\| (\d+ to \d+) MiB/m,
  ].map((row) => row.exec(text('docs/benchmarks.md'))?.[1] ?? assert.fail(String(row)));
  assert.ok(
    README.includes(
      `the first start takes ${first} MiB of memory for a few seconds, a restart ${restart} MiB, and a sync of any length ${sync} MiB more.`,
    ),
  );
  const table = text('docs/self-hosting.md');
  for (const row of [`a few seconds | ${first} |`, `| Restart | ${restart} |`, `| ${sync} more |`])
    assert.ok(table.includes(row), row);
  // Without the archive of an empty database, as the message about memory says.
  assert.ok(text('docs/benchmarks.md').includes(` to ${FIRST_START_MIB} MiB`));
});
