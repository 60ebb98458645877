import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { INTEGRATIONS, type Integration } from '../../src/app/integrations.ts';
import { PERMISSIONS } from '../../src/connectors/providers/au-banking/linking.ts';
import { NO_SECRET } from '../../src/connectors/providers/customer-secret.ts';
import { MemoryQuotaLog } from '../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../src/features/rate-limits/vendor-quotas.ts';
import { AddressGuard } from '../../src/platform/address-guard.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { VARIABLES } from '../../src/platform/config-variables.ts';
import { IntegrationValues } from '../../src/platform/integration-settings.ts';
import { createLog } from '../../src/platform/log.ts';
import { OutgoingAddresses } from '../../src/platform/outgoing-addresses.ts';
import { OutgoingHttp } from '../../src/platform/outgoing-http.ts';
import { CONSOLE_PAGES, consoleFile } from '../../src/vocabulary/consoles.ts';
import { DESTINATION_KINDS } from '../../src/vocabulary/destination-kinds.ts';
import { DEFAULT_LIMITS } from '../../src/vocabulary/limits.ts';
import { LINK_WORDS } from '../../src/vocabulary/link-words.ts';
import { RETURN_PATH } from '../../src/vocabulary/page-paths.ts';
import { cell, headingsOf, section, tableRows } from './markdown.ts';
import { readText, readTree } from './tree.ts';

type Row = Integration['row'];

const SECTIONS = [
  'Before you begin',
  'What people see',
  'When it does not work',
  'Withdrawing access',
  'Variables',
];
const NAME = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
/** Words of vendors that look like variables. */
const NO_VARIABLES: ReadonlySet<string> = new Set(['ENDURING_CONSENT', 'SERVICE_DISABLED']);
/** What a scope looks like, of vendors that have some. */
const SCOPE = /`(https:\/\/www\.googleapis\.com\/auth\/[\w.]+|[a-z.]+:(?:read|write)|[A-Z]+_CONSENT)`/g;

const rows = INTEGRATIONS.map(({ row }) => row);
const documented = rows.flatMap((row) => {
  const file = consoleFile(row.name);
  return file === null ? [] : [{ row, file, text: readText(file) }];
});

/** Values that every variable accepts, for the way of using the vendor that has a page of its own. */
function valuesOf(row: Row): IntegrationValues {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const samples = [key, Buffer.alloc(32, 1).toString('base64'), 'sample', '/tmp'];
  const [way] = row.alternatives ?? [row.variables];
  return new IntegrationValues(
    row.name,
    Object.fromEntries(
      row.variables
        .filter((one) => one.role !== 'credential' || way?.includes(one) === true)
        .flatMap(({ env, parse, default: standard }) => {
          const text = standard ?? samples.find((sample) => 'value' in parse(sample));
          return text === undefined ? [] : [[env, text]];
        }),
    ),
  );
}

const clock = systemClock;
const guard = new AddressGuard([]);
const tools = {
  clock,
  http: new OutgoingHttp({ guard }),
  addresses: new OutgoingAddresses({ guard, names: { resolve: () => assert.fail('it opens pages alone') } }),
  limits: DEFAULT_LIMITS,
  log: createLog({ level: 'silent' }),
  ownUrls: [],
  quotas: new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key }),
};
const request = {
  redirectUri: `https://hub.example.test${RETURN_PATH}`,
  state: 'state',
  verifier: 'v'.repeat(43),
  customer: 'customer',
  secret: NO_SECRET,
  institution: null,
  renew: null,
};

/** What people are asked to grant: the scope of the page that they are sent to, or what is sent before it opens. */
async function scopesOf(row: Row): Promise<readonly string[]> {
  const { signal } = new AbortController();
  if (row.kind === 'destination') {
    const { linking } = await row.open(valuesOf(row), tools);
    if (linking === undefined) return [];
    const page = new URL(await linking.begin(request, signal));
    assert.equal(page.searchParams.get('redirect_uri'), request.redirectUri);
    return page.searchParams.get('scope')?.split(' ') ?? [];
  }
  if (row.name !== 'nz_banking') return [];
  const provider = await row.open(valuesOf(row), tools);
  const { url } = await provider.beginLink(request, signal);
  return new URL(url).searchParams.get('scope')?.split(' ') ?? [];
}

describe('docs/consoles', () => {
  test('has exactly one page for each integration with a vendor that gives credentials, and no page of none', () => {
    const needing = rows.filter(({ variables }) =>
      variables.some(({ role, isLocal }) => role === 'credential' && isLocal !== true),
    );
    assert.ok(needing.length >= 9);
    for (const { name } of needing) assert.ok(consoleFile(name) !== null, name);
    const files = CONSOLE_PAGES.map(({ page }) => `docs/${page}.md`);
    assert.equal(new Set(files).size, files.length);
    assert.deepEqual(
      [...readTree('docs/consoles', '.md').keys()].toSorted(),
      [...files, 'docs/consoles/variables.md'].toSorted(),
    );
  });

  for (const { row, file, text } of documented) {
    test(`${file} says what is needed, has steps, and says what people see, what goes wrong and how access ends`, () => {
      const headings = headingsOf(text, 2);
      for (const heading of SECTIONS) assert.ok(headings.includes(heading), heading);
      const steps = headings.filter((heading) => heading.startsWith('Steps'));
      assert.ok(steps.length > 0);
      for (const heading of steps)
        assert.ok((section(text, heading).match(/^\d+\. /gm) ?? []).length >= 4, heading);
      assert.ok(tableRows(text, 'When it does not work').length >= 5);
      assert.ok(
        text.includes('](variables.md)') &&
          text.includes('tributary doctor') &&
          /20\d\d|Checked with/.test(text),
      );
    });

    test(`${file} names every variable of ${row.name}, and none that the configuration does not know`, () => {
      const own = row.variables.map(({ env }) => env);
      const listed = tableRows(text, 'Variables').flatMap((one) => cell(one, 'Variable').match(NAME) ?? []);
      assert.deepEqual(listed.toSorted(), own.toSorted());
      const known = new Set([...own, ...Object.keys(VARIABLES), ...NO_VARIABLES]);
      assert.deepEqual(
        [...text.matchAll(NAME)].map(([name]) => name).filter((name) => !known.has(name)),
        [],
      );
    });

    test(`${file} has the address to return to, and that of notifications, if there is one`, async () => {
      const returns =
        row.kind === 'provider'
          ? LINK_WORDS[row.name].page !== null
          : DESTINATION_KINDS[row.name].connects === 'link';
      assert.equal(text.includes(`\`{PUBLIC_URL}${RETURN_PATH}\``), returns);
      const notified =
        row.kind === 'provider' && (await row.open(valuesOf(row), tools)).capabilities.has('webhooks');
      assert.equal(text.includes(`\`{PUBLIC_URL}/provider-webhooks/${row.name}\``), notified);
      assert.equal(text.includes('/provider-webhooks/'), notified);
    });

    test(`${file} names the scopes that are requested, and no other`, async () => {
      const named = new Set([...text.matchAll(SCOPE)].map(([, scope = '']) => scope));
      assert.deepEqual([...named].toSorted(), [...(await scopesOf(row))].toSorted());
    });
  }

  test('the page of the provider that takes permissions names each', () => {
    const text = readText('docs/consoles/fiskil.md');
    for (const permission of PERMISSIONS) assert.ok(text.includes(`\`${permission}\``), permission);
  });

  test('each page is linked from the page about what its integration does', () => {
    const pages = [readText('docs/providers.md'), readText('docs/destination-services.md')];
    for (const { file } of documented) {
      const target = `](${file.replace('docs/', '')}`;
      assert.equal(pages.filter((page) => page.includes(target)).length, 1, file);
    }
  });
});
