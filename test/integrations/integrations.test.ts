import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { demoPeople } from '../../src/app/demo/people.ts';
import {
  INTEGRATIONS,
  type Integration,
  isSimulated,
  placeIntegrations,
  trustedOrigins,
} from '../../src/app/integrations.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { ConfigError, type Environment, parseConfig } from '../../src/platform/config.ts';
import { allVariables } from '../../src/platform/config-variables.ts';
import {
  address,
  credential,
  IntegrationValues,
  optionalSecret,
  secret,
} from '../../src/platform/integration-settings.ts';
import { inspect } from '../../src/surfaces/cli/commands/installation.ts';
import { link } from '../../src/surfaces/cli/commands/link.ts';
import { CommandFailure } from '../../src/surfaces/cli/failure.ts';
import { programOf } from '../../src/surfaces/cli/program.ts';
import { linkAt, startLink } from '../connectors/destinations/support/linked.ts';
import { startService, type TestService } from '../support/service.ts';
import { HERON } from './heron/integration.ts';
import { WEKA, WEKA_SECRET } from './weka/integration.ts';
import { startWeka } from './weka/simulator.ts';

/** One integration of each kind beside it, so that one that is added changes nothing here; it borrows the identifier of another. */
const SOME = INTEGRATIONS.filter(({ row }) => row.name === 'webhook' || row.name === 'au_banking');
/** The line. */
const WITH_WEKA: readonly Integration[] = [...SOME, WEKA];
const CREDENTIALS = { WEKA_APP_TOKEN: 'weka-app', WEKA_APP_SECRET: WEKA_SECRET };

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env, WITH_WEKA);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
  }
}

async function findings({ app, url }: TestService) {
  const signal = AbortSignal.timeout(10_000);
  return inspect.parse(await inspect.run({ app, url, signal }, {})).findings;
}

describe('An integration that is one folder and one line', () => {
  let service: TestService;
  before(async () => {
    service = await startService({}, { integrations: WITH_WEKA });
  });
  after(() => service.close());

  test('has its settings read, checked and documented with all others', () => {
    const rows = WITH_WEKA.map(({ row }) => row);
    assert.ok(allVariables(rows).has('WEKA_WEBHOOK_SECRET'));
    assert.match(allVariables(rows).get('WEKA_APP_SECRET')?.purpose ?? '', /Secret\.$/);
    assert.deepEqual(problemsOf(CREDENTIALS), []);
    assert.deepEqual(problemsOf({ WEKA_APP_TOKEN: 'a' }), [
      'WEKA_APP_SECRET must be set, since WEKA_APP_TOKEN is; see docs/consoles/akahu.md',
    ]);
    assert.equal(problemsOf({ WEKA_WEBHOOK_SECRET: 'w' }).length, 2, 'nothing of it is of use alone');
    assert.deepEqual(problemsOf({ WEKA_MODE: 'both' }), ['WEKA_MODE must be one of personal, full']);
    assert.equal(problemsOf({ WEKA_BASE_URL: 'http://weka.invalid' }).length, 1);
  });

  test('takes the service out of the sandbox when its credentials are set', () => {
    assert.equal(readConfig({}, WITH_WEKA).sandbox, true);
    assert.equal(readConfig(CREDENTIALS, WITH_WEKA).sandbox, false);
    assert.equal(readConfig({ ...CREDENTIALS, SANDBOX: 'on' }, WITH_WEKA).sandbox, true);
  });

  test('is simulated in the sandbox, with its pages below the service and its control API beside it', async () => {
    const simulator = service.app.sandbox?.simulators.get('nz_banking') ?? assert.fail();
    const shown = await fetch(`${service.url}/sandbox/weka/sign-in/7`);
    assert.equal(shown.status, 200);
    assert.match(await shown.text(), /Sign in to Weka/);
    assert.equal((await fetch(`${service.url}/sandbox/weka/v1/banks`)).status, 404);
    const control = `${simulator.controlUrl}/requests`;
    assert.match(await (await fetch(control)).text(), /\/sign-in\/7/);
  });

  test('is checked by doctor, after the others', async () => {
    const checks = (await findings(service)).filter(({ check }) => check.startsWith('provider '));
    assert.deepEqual(
      checks.map(({ check, outcome, found }) => [check, outcome, found.replace(/\d+/, 'N')]),
      [
        ['provider au_banking', 'ok', 'the simulator accepts our credentials and offers N institutions'],
        ['provider nz_banking', 'ok', 'the simulator accepts our credentials and offers N institutions'],
      ],
    );
    const { control } = service.app.sandbox?.simulators.get('nz_banking') ?? assert.fail();
    control.addFault({ route: 'GET /v1/banks', kind: 'server-error', count: 2 });
    const failed = (await findings(service)).find(({ check }) => check === 'provider nz_banking');
    assert.equal(failed?.outcome, 'fail');
  });

  test('is among the choices of link, and its people among those of --persona', async () => {
    let help = '';
    const nothing = async (): Promise<void> => undefined;
    const program = programOf(
      {
        run: nothing,
        serve: nothing,
        doctor: nothing,
        demo: nothing,
        restore: nothing,
        tail: nothing,
        documents: nothing,
      },
      WITH_WEKA,
    );
    for (const command of program.commands) if (command.name() === 'link') help = command.helpInformation();
    assert.match(help.replace(/\s+/g, ' '), /for example au_banking or nz_banking .* kea/);
    const { app, url } = service;
    await assert.rejects(
      link.run({ app, url, signal: AbortSignal.timeout(10_000) }, { account: 'acc_x', provider: 'weka' }),
      (error: unknown) =>
        error instanceof CommandFailure && /The providers are au_banking, nz_banking\./.test(error.message),
    );
  });

  test('has someone whom the demo links', async () => {
    const { customers } = await demoPeople(WITH_WEKA, { data: undefined, rows: undefined });
    assert.deepEqual(
      customers.map(({ provider, customer }) => [provider, customer]),
      [
        ['au_banking', 'salaried-household'],
        ['nz_banking', 'kea'],
      ],
    );
  });
});

describe('An integration with credentials', () => {
  test('is reached at the vendor while the others stay simulated, and doctor says which is which', async (t) => {
    const vendor = await startWeka();
    t.after(() => vendor.close());
    const env = {
      ...CREDENTIALS,
      SANDBOX: 'on',
      WEKA_BASE_URL: `${vendor.url}/v1`,
      WEKA_OAUTH_URL: vendor.url,
    };
    const service = await startService(env, { integrations: WITH_WEKA });
    try {
      assert.deepEqual([...(service.app.sandbox?.simulators.keys() ?? [])], ['au_banking']);
      const found = new Map((await findings(service)).map(({ check, found }) => [check, found]));
      assert.match(found.get('provider au_banking') ?? '', /^the simulator accepts/);
      assert.match(
        found.get('provider nz_banking') ?? '',
        /^the vendor accepts our credentials and offers 1 /,
      );
      assert.deepEqual(
        vendor.control.requests().map(({ path }) => path),
        ['/v1/banks'],
      );
    } finally {
      await service.close();
    }
  });

  test('is left out where it has none and nothing is simulated', () => {
    const placed = placeIntegrations(WITH_WEKA, readConfig({ SANDBOX: 'off' }, WITH_WEKA), new Map());
    assert.deepEqual(
      placed.map(({ row }) => row.name),
      ['webhook'],
    );
  });

  test('is called at every address of its own without the guard, and at no other', () => {
    const placed = placeIntegrations(WITH_WEKA, readConfig(CREDENTIALS, WITH_WEKA), new Map());
    assert.deepEqual(trustedOrigins(placed), ['https://api.weka.invalid', 'https://oauth.weka.invalid']);
  });
});

test('A destination is not simulated while a bank is real: its pages would show the rows to everyone', () => {
  const integrations = [...WITH_WEKA, HERON];
  const simulated = (env: Environment): string[] => {
    const config = readConfig({ SANDBOX: 'on', ...env }, integrations);
    return integrations
      .filter((integration) => isSimulated(integration, integrations, config))
      .map(({ row }) => row.name);
  };
  assert.deepEqual(simulated({}), ['au_banking', 'nz_banking', 'sheets']);
  assert.deepEqual(simulated(CREDENTIALS), ['au_banking']);
});

test('A destination of the table can be linked at its simulator, and doctor says where it is', async () => {
  const service = await startService({}, { integrations: [...SOME, HERON] });
  try {
    const owner = await service.owner();
    const link = await startLink(owner);
    await linkAt(link);
    const { body } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
    assert.equal(body.status, 'completed');
    const found = new Map((await findings(service)).map(({ check, found }) => [check, found]));
    assert.equal(found.get('destination sheets'), 'set up at the simulator');
    assert.ok(!found.has('destination webhook'), 'nothing of it could be wrong');
  } finally {
    await service.close();
  }
});

describe('Settings of an integration', () => {
  const URL_OF = address('HERON_URL', 'https://heron.invalid', 'Where it is.');
  const ID = credential('HERON_ID', 'Who we are.');
  const SECRET = secret('HERON_SECRET', 'Proves it.');
  const EXTRA = optionalSecret('HERON_EXTRA', 'Sometimes.');
  const heron = { name: 'heron', variables: [URL_OF, ID, SECRET, EXTRA] };
  const read = (env: Readonly<Record<string, string>>) => parseConfig(env, [heron]).integrations.heron;

  test('are read as their variables say, and kept apart from those of others', () => {
    const config = read({
      HERON_URL: 'https://heron.invalid/',
      HERON_ID: ' i ',
      HERON_SECRET: 's',
      OTHER: 'x',
    });
    assert.deepEqual(config, {
      complete: true,
      texts: { HERON_URL: 'https://heron.invalid/', HERON_ID: 'i', HERON_SECRET: 's' },
    });
    const values = new IntegrationValues('heron', config?.texts ?? {});
    assert.equal(values.get(URL_OF), 'https://heron.invalid');
    assert.equal(values.get(SECRET), 's');
    assert.equal(values.find(EXTRA), null);
    assert.throws(() => values.get(EXTRA), /HERON_EXTRA of heron is not set/);
  });

  test('are refused by name and never by value', () => {
    assert.throws(
      () => read({ HERON_URL: 'ftp://canary', HERON_ID: 'canary' }),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.problems.map(({ variable }) => variable).join() === 'HERON_URL,HERON_SECRET' &&
        !error.message.includes('canary'),
    );
  });

  describe('with alternatives', () => {
    const KEY = secret('HERON_KEY', 'Ours alone.');
    const either = {
      name: 'heron',
      variables: [URL_OF, ID, SECRET, KEY],
      alternatives: [
        [ID, SECRET],
        [ID, KEY],
      ],
    };
    const problems = (env: Readonly<Record<string, string>>): string => {
      try {
        parseConfig(env, [either]);
        return '';
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        return error.problems.map(({ variable, problem }) => `${variable} ${problem}`).join('\n');
      }
    };

    test('set the integration up once all credentials of one are given', () => {
      const complete = (env: Readonly<Record<string, string>>) =>
        parseConfig({ SANDBOX: 'auto', ...env }, [either]);
      assert.equal(complete({}).integrations.heron?.complete, false);
      assert.equal(complete({}).sandbox, true);
      for (const other of [
        { HERON_SECRET: 's' },
        { HERON_KEY: 'k' },
        { HERON_SECRET: 's', HERON_KEY: 'k' },
      ]) {
        const config = complete({ HERON_ID: 'i', ...other });
        assert.equal(config.integrations.heron?.complete, true);
        assert.equal(config.sandbox, false);
      }
    });

    test('name what is missing, and what can be given instead', () => {
      assert.equal(
        problems({ HERON_ID: 'i' }),
        'HERON_SECRET must be set, or HERON_KEY instead, since HERON_ID is',
      );
      assert.equal(problems({ HERON_KEY: 'k' }), 'HERON_ID must be set, since HERON_KEY is');
      assert.equal(
        problems({ HERON_SECRET: 's', HERON_KEY: 'k' }),
        'HERON_ID must be set, since HERON_SECRET is',
      );
    });
  });

  test('cannot be asked of a configuration that was read without the integration', () => {
    assert.throws(() => placeIntegrations([WEKA], readConfig({}, []), new Map()), /read without nz_banking/);
  });
});

test('No two integrations have a name, a variable or a folder of the sandbox in common', () => {
  const lists = [
    INTEGRATIONS.map(({ row }) => row.name),
    INTEGRATIONS.flatMap(({ row }) => row.variables.map(({ env }) => env)),
    INTEGRATIONS.flatMap(({ simulator }) => (simulator === null ? [] : [simulator.folder])),
  ];
  for (const seen of lists) assert.deepEqual(seen, [...new Set(seen)]);
});
