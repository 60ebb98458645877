import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { INTEGRATIONS } from '../../src/app/integrations.ts';
import { readConfig as readConfigOf } from '../../src/app/read-config.ts';
import { ConfigError, type Environment, withBoundPort } from '../../src/platform/config.ts';
import { allVariables } from '../../src/platform/config-variables.ts';
import { DEFAULT_LIMITS, LIMITS } from '../../src/vocabulary/limits.ts';

/** The providers and a destination without settings: a destination that is added changes nothing here. */
const SOME = INTEGRATIONS.filter(({ row }) => row.kind === 'provider' || row.variables.length === 0);
const ROWS = SOME.map(({ row }) => row);
const readConfig = (env: Environment) => readConfigOf(env, SOME);

function problemsOf(env: Environment): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    for (const { variable, problem } of error.problems)
      assert.ok(error.message.includes(`- ${variable} ${problem}.`));
    return error.problems.map(({ variable }) => variable);
  }
}

/** RFC 8291, appendix A. */
const VAPID_KEY = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';

test('an empty environment is a complete configuration, with the sandbox on', () => {
  const config = readConfig({});
  const { limits, ...rest } = config;
  assert.deepEqual(limits, DEFAULT_LIMITS);
  assert.deepEqual(rest, {
    host: '127.0.0.1',
    port: 8780,
    publicUrl: 'http://127.0.0.1:8780',
    appUrl: 'http://127.0.0.1:8780',
    metrics: { host: '127.0.0.1', port: 9780 },
    mcpUrl: 'http://127.0.0.1:8780',
    dataDir: './data',
    databaseUrl: null,
    redisUrl: null,
    encryptionKey: undefined,
    trustProxy: false,
    outboundAllow: [],
    outboundDns: null,
    sandbox: true,
    sandboxData: null,
    sandboxWebhooks: false,
    integrations: {
      au_banking: {
        complete: false,
        texts: { FISKIL_BASE_URL: 'https://api.fiskil.com', FISKIL_VERSION: 'v3' },
      },
      nz_banking: {
        complete: false,
        texts: { AKAHU_BASE_URL: 'https://api.akahu.io', AKAHU_OAUTH_URL: 'https://oauth.akahu.nz' },
      },
      brokerage: {
        complete: false,
        texts: { SNAPTRADE_BASE_URL: 'https://api.snaptrade.com', SNAPTRADE_KEY_TYPE: 'commercial' },
      },
      up_bank: { complete: false, texts: { UP_BASE_URL: 'https://api.up.com.au/api/v1' } },
      simplefin: {
        complete: true,
        texts: {
          SIMPLEFIN_BRIDGE_URL: 'https://beta-bridge.simplefin.org/simplefin',
          SIMPLEFIN_CREATE_URL: 'https://beta-bridge.simplefin.org/simplefin/create',
          SIMPLEFIN_REQUESTS: 'rationed',
        },
      },
      enable_banking: {
        complete: false,
        texts: {
          ENABLE_BANKING_BASE_URL: 'https://api.enablebanking.com',
          ENABLE_BANKING_PSU_TYPE: 'personal',
        },
      },
      webhook: { complete: true, texts: {} },
      postgres: { complete: true, texts: {} },
    },
    personalAccount: null,
    mail: null,
    vapidPrivateKey: null,
    exchangeRates: [],
    backups: null,
    backupPassphrase: null,
    logLevel: 'info',
    traces: null,
    roles: ['api', 'worker', 'scheduler'],
    shutdownSeconds: 25,
  });
});

test('empty variables count as unset, and the result cannot be changed', () => {
  const blank = Object.fromEntries([...allVariables(ROWS).keys()].map((name) => [name, ' ']));
  const config = readConfig(blank);
  assert.deepEqual(config, readConfig({}));
  for (const frozen of [config, config.limits, config.integrations, config.roles, config.outboundAllow]) {
    assert.ok(Object.isFrozen(frozen));
  }
});

test('every variable is taken over', () => {
  const key = randomBytes(32).toString('base64');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
  const config = readConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    METRICS_HOST: '10.0.0.5',
    METRICS_PORT: '9464',
    PUBLIC_URL: 'https://hub.example.com/base/',
    APP_URL: 'https://app.example.com',
    MCP_URL: 'https://mcp.example.com/',
    DATA_DIR: '/var/lib/tributary',
    DATABASE_URL: 'postgres://u:p@db/tributary',
    REDIS_URL: 'rediss://cache:6380',
    ENCRYPTION_KEY: `a:${key}`,
    TRUST_PROXY: '10.0.0.0/8, ::1',
    OUTBOUND_ALLOW: '192.168.1.0/24,fd00::/8',
    OUTBOUND_DNS: '192.168.1.1, 192.168.1.2:5353,[fd00::1]:53',
    SANDBOX: 'auto',
    SANDBOX_DATA: '/srv/bank.json',
    PERSONAL_ACCOUNT: 'acc_0000000000000000000001',
    SANDBOX_WEBHOOKS: 'on',
    FISKIL_BASE_URL: 'http://127.0.0.1:9000/',
    FISKIL_CLIENT_ID: 'id',
    FISKIL_CLIENT_SECRET: 'secret',
    FISKIL_WEBHOOK_SECRET: 'c2VjcmV0',
    FISKIL_VERSION: 'v2',
    AKAHU_BASE_URL: 'http://127.0.0.1:9001',
    AKAHU_OAUTH_URL: 'http://hub.lan/oauth/',
    AKAHU_APP_TOKEN: 'app',
    AKAHU_APP_SECRET: 'hush',
    AKAHU_USER_TOKEN: 'own',
    AKAHU_POSITIVE_DEBT: 'conn_a, conn_b',
    SNAPTRADE_BASE_URL: 'http://127.0.0.1:9002',
    SNAPTRADE_CLIENT_ID: 'ours',
    SNAPTRADE_CONSUMER_KEY: 'signs',
    SNAPTRADE_KEY_TYPE: 'personal',
    UP_BASE_URL: 'http://127.0.0.1:9001/api/v1',
    UP_TOKEN: 'up:yeah',
    UP_WEBHOOK_SECRET: 'key',
    SIMPLEFIN_BRIDGE_URL: 'http://127.0.0.1:9003/simplefin',
    SIMPLEFIN_CREATE_URL: 'http://hub.lan/create',
    SIMPLEFIN_REQUESTS: 'unlimited',
    ENABLE_BANKING_BASE_URL: 'http://127.0.0.1:9003',
    ENABLE_BANKING_APPLICATION_ID: 'app-id',
    ENABLE_BANKING_PRIVATE_KEY: rsa,
    ENABLE_BANKING_PSU_TYPE: 'business',
    SMTP_URL: 'smtps://hub:hush@mail.example.com',
    SMTP_FROM: 'hub@example.com',
    VAPID_PRIVATE_KEY: VAPID_KEY,
    EXCHANGE_RATES: 'EUR:AUD=1.65, jpy:aud=0.0102',
    BACKUP_FOLDER: '/backups',
    BACKUP_PASSPHRASE: 'a long passphrase',
    BACKUP_HOURS: '6',
    BACKUP_KEEP: '3',
    LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com/base/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b%3D, x-scope=1',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'hub',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    ROLES: 'worker,api',
    SHUTDOWN_SECONDS: '0',
    LIMIT_API_KEYS: '7',
  });
  const { limits, ...rest } = config;
  assert.deepEqual(limits, { ...DEFAULT_LIMITS, api_keys: 7 });
  assert.deepEqual(rest, {
    host: '0.0.0.0',
    port: 0,
    metrics: { host: '10.0.0.5', port: 9464 },
    publicUrl: 'https://hub.example.com/base',
    appUrl: 'https://app.example.com',
    mcpUrl: 'https://mcp.example.com',
    dataDir: '/var/lib/tributary',
    databaseUrl: 'postgres://u:p@db/tributary',
    redisUrl: 'rediss://cache:6380',
    encryptionKey: `a:${key}`,
    trustProxy: ['10.0.0.0/8', '::1'],
    outboundAllow: ['192.168.1.0/24', 'fd00::/8'],
    outboundDns: ['192.168.1.1', '192.168.1.2:5353', '[fd00::1]:53'],
    sandbox: false,
    sandboxData: '/srv/bank.json',
    sandboxWebhooks: true,
    integrations: {
      au_banking: {
        complete: true,
        texts: {
          FISKIL_BASE_URL: 'http://127.0.0.1:9000/',
          FISKIL_CLIENT_ID: 'id',
          FISKIL_CLIENT_SECRET: 'secret',
          FISKIL_WEBHOOK_SECRET: 'c2VjcmV0',
          FISKIL_VERSION: 'v2',
        },
      },
      nz_banking: {
        complete: true,
        texts: {
          AKAHU_BASE_URL: 'http://127.0.0.1:9001',
          AKAHU_OAUTH_URL: 'http://hub.lan/oauth/',
          AKAHU_APP_TOKEN: 'app',
          AKAHU_APP_SECRET: 'hush',
          AKAHU_USER_TOKEN: 'own',
          AKAHU_POSITIVE_DEBT: 'conn_a, conn_b',
        },
      },
      brokerage: {
        complete: true,
        texts: {
          SNAPTRADE_BASE_URL: 'http://127.0.0.1:9002',
          SNAPTRADE_CLIENT_ID: 'ours',
          SNAPTRADE_CONSUMER_KEY: 'signs',
          SNAPTRADE_KEY_TYPE: 'personal',
        },
      },
      up_bank: {
        complete: true,
        texts: { UP_BASE_URL: 'http://127.0.0.1:9001/api/v1', UP_TOKEN: 'up:yeah', UP_WEBHOOK_SECRET: 'key' },
      },
      simplefin: {
        complete: true,
        texts: {
          SIMPLEFIN_BRIDGE_URL: 'http://127.0.0.1:9003/simplefin',
          SIMPLEFIN_CREATE_URL: 'http://hub.lan/create',
          SIMPLEFIN_REQUESTS: 'unlimited',
        },
      },
      enable_banking: {
        complete: true,
        texts: {
          ENABLE_BANKING_BASE_URL: 'http://127.0.0.1:9003',
          ENABLE_BANKING_APPLICATION_ID: 'app-id',
          ENABLE_BANKING_PRIVATE_KEY: rsa,
          ENABLE_BANKING_PSU_TYPE: 'business',
        },
      },
      webhook: { complete: true, texts: {} },
      postgres: { complete: true, texts: {} },
    },
    personalAccount: '00000000-0000-0000-0000-000000000001',
    mail: {
      server: {
        host: 'mail.example.com',
        port: 465,
        secure: true,
        auth: { user: 'hub', pass: 'hush' },
        requireTls: false,
      },
      from: 'hub@example.com',
    },
    vapidPrivateKey: VAPID_KEY,
    exchangeRates: [
      { from: 'eur', to: 'aud', rate: '1.65' },
      { from: 'jpy', to: 'aud', rate: '0.0102' },
    ],
    backups: { folder: '/backups', passphrase: 'a long passphrase', everyHours: 6, keep: 3 },
    backupPassphrase: 'a long passphrase',
    logLevel: 'silent',
    traces: {
      endpoint: 'https://collector.example.com/base/v1/traces',
      headers: { 'api-key': 'a b=', 'x-scope': '1' },
      serviceName: 'hub',
      ratio: 0.25,
    },
    roles: ['api', 'worker'],
    shutdownSeconds: 0,
  });
});

test('default addresses can be called and follow the port that was taken', () => {
  assert.equal(readConfig({ HOST: '::' }).publicUrl, 'http://localhost:8780');
  assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:8780');
  const moved = withBoundPort(readConfig({ PORT: '0', MCP_URL: 'https://mcp.example.com' }), 40_123);
  assert.deepEqual(
    [moved.port, moved.publicUrl, moved.appUrl],
    [40_123, 'http://127.0.0.1:40123', 'http://127.0.0.1:40123'],
  );
  assert.equal(moved.mcpUrl, 'https://mcp.example.com');
});

test('figures are served beside the port, on the loopback address, unless they are set elsewhere or off', () => {
  const metrics = (env: Environment) => readConfig(env).metrics;
  assert.deepEqual(metrics({}), { host: '127.0.0.1', port: 9780 });
  assert.deepEqual(metrics({ HOST: '0.0.0.0', PORT: '65000' }), { host: '127.0.0.1', port: 64_000 });
  assert.deepEqual(metrics({ PORT: '0' }), { host: '127.0.0.1', port: 0 });
  assert.deepEqual(metrics({ METRICS_HOST: '::', METRICS_PORT: '9464' }), { host: '::', port: 9464 });
  assert.equal(metrics({ METRICS_PORT: 'off' }), null);
});

test('traces are on where a collector is named, unless they are switched off', () => {
  const url = 'http://collector:4318';
  const traces = (env: Environment) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env }).traces;
  const usual = { endpoint: `${url}/v1/traces`, headers: {}, serviceName: 'tributary', ratio: 1 };
  assert.deepEqual(traces({}), usual);
  assert.equal(readConfig({ OTEL_SERVICE_NAME: 'hub' }).traces, null);
  assert.equal(traces({ OTEL_SDK_DISABLED: 'True' }), null);
  for (const sampler of ['always_off', 'parentbased_always_off'])
    assert.equal(traces({ OTEL_TRACES_SAMPLER: sampler }), null);
  assert.equal(traces({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }), null);
  assert.deepEqual(traces({ OTEL_TRACES_SAMPLER: 'traceidratio' }), usual);
  const whole = 'http://other:4318/own/path';
  assert.equal(traces({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole })?.endpoint, whole);
  // Without the sampler that takes it, the share would have no effect, and everything be recorded.
  for (const sampler of ['', 'always_on', 'parentbased_always_on'])
    assert.deepEqual(problemsOf({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.1' }), [
      'OTEL_TRACES_SAMPLER_ARG',
    ]);
});

test('the sandbox is on unless switched off or replaced by credentials', () => {
  const credentials = { FISKIL_CLIENT_ID: 'i', FISKIL_CLIENT_SECRET: 's' };
  assert.equal(readConfig(credentials).sandbox, false);
  assert.equal(readConfig({ ...credentials, SANDBOX: 'on' }).sandbox, true);
  assert.equal(readConfig({ SANDBOX: 'off' }).sandbox, false);
  // A folder of the operator's own is no credential of a vendor.
  assert.equal(readConfig({ CSV_FOLDER_ROOT: '/srv/csv' }).sandbox, true);
  assert.deepEqual(problemsOf({ FISKIL_CLIENT_ID: 'i' }), ['FISKIL_CLIENT_SECRET']);
  assert.deepEqual(problemsOf({ FISKIL_CLIENT_SECRET: 's' }), ['FISKIL_CLIENT_ID']);
});

/** Values that each variable must refuse. */
const BAD: Record<string, string[]> = {
  HOST: ['http://x', 'a b', '[::1]', 'x:80'],
  PORT: ['-1', '65536', '80.0', '0x50', '1e3', 'http', '08'],
  METRICS_HOST: ['http://x', 'a b'],
  METRICS_PORT: ['-1', '65536', 'on', 'OFF'],
  PUBLIC_URL: ['example.com', 'ftp://x', 'https://u:p@x', 'https://x/?a', 'https://x/#a'],
  APP_URL: ['//x', 'https://app.example.com/base'],
  MCP_URL: ['mcp'],
  DATABASE_URL: ['mysql://x', 'localhost', 'postgres'],
  REDIS_URL: ['http://x', 'localhost:6379'],
  ENCRYPTION_KEY: ['short', 'a:short', ',', Buffer.alloc(32).toString('base64')],
  TRUST_PROXY: ['true', '17', '-1', '10.0.0.0/33', 'proxy'],
  OUTBOUND_ALLOW: ['lan', '10.0.0.0/8,x', ',', '*'],
  OUTBOUND_DNS: ['dns.example', '192.168.1.1:0', '192.168.1.1:65536', '[192.168.1.1]:53', '1.1.1.1,x', ','],
  SANDBOX: ['yes', 'AUTO'],
  FISKIL_BASE_URL: ['http://api.fiskil.com', 'http://127.evil.example', 'x'],
  FISKIL_VERSION: ['v1', '3'],
  AKAHU_BASE_URL: ['http://api.akahu.io', 'x'],
  AKAHU_OAUTH_URL: ['oauth.akahu.nz', 'https://oauth.akahu.nz/?a=1'],
  AKAHU_POSITIVE_DEBT: ['rimu', 'conn_a,', 'conn_a conn_b'],
  UP_BASE_URL: ['http://api.up.com.au/api/v1', 'up'],
  PERSONAL_ACCOUNT: ['me@example.com', 'acct_0000000000000000000001', 'acc_1'],
  VAPID_PRIVATE_KEY: ['short', 'A'.repeat(43)],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://x', 'https://u:p@x', 'https://x/?key=a'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['x', 'https://x/v1/traces#a'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', 'http/protobuf'],
  OTEL_EXPORTER_OTLP_HEADERS: [
    'a',
    '=a',
    'a b=c',
    'host=x',
    'Content-Type=x',
    'a=%',
    'a=b%0d%0ac',
    'a=',
    ',',
  ],
  OTEL_SERVICE_NAME: ['caf\u00e9', 'a'.repeat(101)],
  OTEL_TRACES_SAMPLER: ['all', '0.1', 'jaeger_remote'],
  OTEL_SDK_DISABLED: ['yes', '1'],
  BACKUP_FOLDER: ['backups'],
  BACKUP_PASSPHRASE: ['short'],
  BACKUP_HOURS: ['0', '1000'],
  BACKUP_KEEP: ['0'],
  EXCHANGE_RATES: [
    'EUR:AUD',
    'EUR:AUD=0',
    'EUR:AUD=0.000',
    'EUR:AUD=-1',
    'EUR:AUD=1e3',
    'EUR:AUD=1,65',
    'AUD:AUD=1',
    'EURO:AUD=1',
    'EUR:AUD=1.6,AUD:EUR=0.6',
    ',',
  ],
  LOG_LEVEL: ['loud', 'INFO'],
  ROLES: ['api,cook', ',', 'API'],
  SHUTDOWN_SECONDS: ['601', '-1', '1.5'],
};

test('every malformed value is refused under the name of its variable', () => {
  for (const [name, values] of Object.entries(BAD)) {
    for (const value of values) assert.deepEqual(problemsOf({ [name]: value }), [name], `${name}=${value}`);
  }
  for (const { env, min, max } of Object.values(LIMITS)) {
    for (const value of [String(min - 1), String(max + 1), 'x', '1.5'])
      assert.ok(problemsOf({ [env]: value }).includes(env));
  }
  assert.deepEqual(problemsOf({ LIMIT_PAGE_SIZE_DEFAULT: '200' }), ['LIMIT_PAGE_SIZE_DEFAULT']);
  assert.deepEqual(problemsOf({ LIMIT_TYPO: '1' }), ['LIMIT_TYPO']);
  assert.deepEqual(problemsOf({ PUBLIC_URL: 'https://hub.example.com/base' }), ['APP_URL']);
});

test('a secret that signs notifications is refused unless it holds bytes: anyone can sign with an empty key', () => {
  const rest = { FISKIL_CLIENT_ID: 'i', FISKIL_CLIENT_SECRET: 's' };
  for (const secret of ['=', '==', 'A', 'not base64', '!!!!'])
    assert.deepEqual(problemsOf({ ...rest, FISKIL_WEBHOOK_SECRET: secret }), ['FISKIL_WEBHOOK_SECRET']);
});

test('all problems are reported at once', () => {
  const worst = Object.fromEntries(Object.entries(BAD).map(([name, [value]]) => [name, value]));
  assert.deepEqual(problemsOf(worst).toSorted(), Object.keys(BAD).toSorted());
});

test('no message holds the value of a variable', () => {
  const marker = 'MARKERMARKER';
  const env = Object.fromEntries([...allVariables(ROWS).keys()].map((name) => [name, `:${marker} `]));
  assert.throws(
    () => readConfig(env),
    (error: Error) =>
      error instanceof ConfigError && !`${error.message}${JSON.stringify(error)}`.includes(marker),
  );
});

test('no environment ends in anything but a configuration or a ConfigError', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl(),
    fc.ipV6(),
    fc.integer().map(String),
    fc.constantFrom('true', 'a:', '::/0', ',', 'https://', 'postgres://', '__proto__'),
  );
  const names = fc.constantFrom(...allVariables(ROWS).keys(), '__proto__', 'LIMIT_X', 'toString');
  fc.assert(
    fc.property(fc.dictionary(names, value), (env) => void problemsOf(env)),
    { numRuns: 2_000 },
  );
});

test('mail needs a sender with its server, and neither is repeated in a message', () => {
  const problemsOf = (environment: Record<string, string>): string => {
    try {
      readConfig(environment);
      return '';
    } catch (error) {
      return error instanceof ConfigError ? error.message : String(error);
    }
  };
  assert.match(
    problemsOf({ SMTP_URL: 'smtp://mail.example.com' }),
    /SMTP_FROM must be set, since SMTP_URL is/,
  );
  const wrong = problemsOf({ SMTP_URL: 'smtp://hub:hush@', SMTP_FROM: 'nobody at home' });
  assert.match(wrong, /- SMTP_URL must be smtp:/);
  assert.match(wrong, /- SMTP_FROM must be an e-mail address/);
  assert.doesNotMatch(wrong, /hush|at home/);
});

test('what is missing of the credentials of a vendor leads to the page of its console', () => {
  const isMissing = (env: Record<string, string>, variable: string, page: string) =>
    assert.throws(
      () => readConfigOf(env),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes(`- ${variable} must be set`) &&
        error.message.endsWith(` is; see docs/consoles/${page}.md.`),
    );
  isMissing({ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET', 'google');
  isMissing({ AKAHU_APP_TOKEN: 'app_token_1' }, 'AKAHU_APP_SECRET', 'akahu');
});
