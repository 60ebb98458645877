import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PERSONAS as AU_BANKING } from '../../../sandbox/au-banking/personas/catalog.ts';
import { PERSONAS as NZ_BANKING } from '../../../sandbox/nz-banking/personas/catalog.ts';
import { PERSONAS as SIMPLEFIN } from '../../../sandbox/simplefin/personas.ts';
import { PERSONAS as UP_BANK } from '../../../sandbox/up-bank/personas/catalog.ts';
import { serveInstallation } from '../../../src/app/installation.ts';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { personaNames } from '../../../src/surfaces/cli/simulated-integrations.ts';
import { tributary, tributaryInProcess } from './run-tributary.ts';
import { madeDataDir } from './temporary-directory.ts';

const DATA = fileURLToPath(new URL('../../sandbox/fixtures/flat-bank.json', import.meta.url));
const PERSONA_NAMES = personaNames(INTEGRATIONS);
const PAGE = fileURLToPath(new URL('../../../docs/sandbox.md', import.meta.url));

test('The command line names every customer of the sandbox bank, in help and when it refuses another', async (t) => {
  const known = [
    ...[...AU_BANKING, ...NZ_BANKING].map(({ customer }) => customer),
    ...[...UP_BANK, ...SIMPLEFIN].map(({ logIn }) => logIn),
    'rows:N',
  ];
  const ofBank = [...AU_BANKING.map(({ customer }) => customer), 'rows:N'];
  for (const name of known) assert.ok(PERSONA_NAMES.includes(name), name);
  const { stdout } = await tributaryInProcess(['link', '--help']);
  const help = stdout.replace(/\s+/g, ' ');
  for (const name of PERSONA_NAMES) assert.ok(help.includes(name), `${name} is not in the help`);

  const dataDir = await madeDataDir(t);
  const served = await serveInstallation(
    readConfig({ DATA_DIR: dataDir, PORT: '0', SANDBOX_DATA: DATA }),
    createLog({ level: 'silent' }),
    true,
  );
  const link = (...args: string[]) =>
    tributaryInProcess(
      ['link', '--account', served.welcome.first?.account ?? '', '--provider', 'au_banking', ...args],
      { DATA_DIR: dataDir },
    );
  try {
    const refused = await link('--persona', 'household');
    assert.equal(refused.code, 2, refused.stderr);
    for (const name of ofBank) assert.ok(refused.stderr.includes(name), refused.stderr);

    const filed = ['--institution', 'inst_fk_88801'];
    const elsewhere = await link(...filed, '--persona', 'salaried-household');
    assert.equal(elsewhere.code, 2, elsewhere.stderr);
    assert.match(elsewhere.stderr, /mzapata/);
    const linked = await link(...filed, '--persona', 'mzapata');
    assert.equal(linked.code, 0, linked.stderr);
    assert.match(linked.stdout, /acct_/);
  } finally {
    await served.close();
  }
});

test('A file that is no bank data file is refused at the start under SANDBOX_DATA, with what is wrong', async (t) => {
  const dataDir = await madeDataDir(t);
  for (const [file, why] of [
    ['/nowhere/bank.json', /cannot be read.*ENOENT/],
    [PAGE, /is not a bank data file/],
  ] as const) {
    const { code, stderr } = await tributary(['serve'], { DATA_DIR: dataDir, PORT: '0', SANDBOX_DATA: file });
    assert.equal(code, 4);
    assert.match(stderr, /- SANDBOX_DATA cannot be used: /);
    assert.match(stderr, why);
  }
});
