import { isEmailAddress } from '../vocabulary/email.ts';
import { type OwnerId, parsePublicId } from '../vocabulary/ids.ts';
import { LIMIT_NAMES, LIMITS, type LimitName } from '../vocabulary/limits.ts';
import {
  absolutePath,
  anyText,
  baseUrl,
  cidrList,
  connectionUrl,
  exchangeRates,
  headerList,
  integer,
  listenHost,
  oneOf,
  PASSPHRASE_CHARACTERS,
  type Parsed,
  parseSmtpUrl,
  passphrase,
  portOrOff,
  type SmtpServer,
  serverList,
  share,
  someOf,
  trueOrFalse,
  trustProxy,
  type Variable,
} from './config-values.ts';
import type { IntegrationSettings } from './integration-settings.ts';
import { KeyringError, parseKeyring } from './keyring.ts';
import { VapidKey } from './web-push.ts';

/** From the most verbose to none. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** How much is logged. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The roles that one process can take. */
export const ROLES = ['api', 'worker', 'scheduler'] as const;

/** Samplers by the names that OpenTelemetry gives them, and whether they take a share. */
export const SAMPLERS = {
  always_on: { ratio: 1, takesShare: false },
  always_off: { ratio: 0, takesShare: false },
  traceidratio: { ratio: 1, takesShare: true },
  parentbased_always_on: { ratio: 1, takesShare: false },
  parentbased_always_off: { ratio: 0, takesShare: false },
  parentbased_traceidratio: { ratio: 1, takesShare: true },
} as const;

const SAMPLER_NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const satisfies readonly (keyof typeof SAMPLERS)[];

const serviceName = (text: string): Parsed<string> =>
  /^[\x20-\x7e]{1,100}$/.test(text) ? { value: text } : { problem: 'must have 1 to 100 characters of ASCII' };

const traceProtocol = (text: string): Parsed<string> =>
  text === 'http/json'
    ? { value: text }
    : {
        problem: 'must be http/json, the only form in which traces are sent, to port 4318 of most collectors',
      };

const encryptionKey = (text: string): Parsed<string> => {
  try {
    parseKeyring(text, 'ENCRYPTION_KEY');
    return { value: text };
  } catch (error) {
    if (error instanceof KeyringError) return { problem: `cannot be used: ${error.message}` };
    throw error;
  }
};

const accountRecordId = (text: string): Parsed<OwnerId> => {
  const value = parsePublicId('account_record', text);
  return value === null
    ? { problem: 'must be the id of an account record, as `tributary account list` prints it' }
    : { value };
};

const smtpServer = (text: string): Parsed<SmtpServer> => {
  const value = parseSmtpUrl(text);
  return value === null
    ? {
        problem: 'must be smtp:// or smtps://, with user:password@ if the server wants it, a host and a port',
      }
    : { value };
};

const vapidKey = (text: string): Parsed<string> => {
  const problem = 'must be the 32 bytes of a private key of P-256 in base64url';
  if (!/^[\w-]{43}$/.test(text)) return { problem };
  try {
    new VapidKey(Buffer.from(text, 'base64url'));
    return { value: text };
  } catch {
    return { problem };
  }
};

const mailSender = (text: string): Parsed<string> =>
  isEmailAddress(text) ? { value: text } : { problem: 'must be an e-mail address' };

const variable = <T>(definition: Variable<T>): Variable<T> => definition;

/** Every variable except those of integrations and the limits, in the order of the documentation. */
export const VARIABLES = {
  HOST: variable({
    parse: listenHost,
    default: '127.0.0.1',
    form: 'IP address or host name',
    purpose: 'The address to listen on. `0.0.0.0` or `::` listens on all; put a TLS proxy in front first.',
  }),
  PORT: variable({
    parse: integer(0, 65_535),
    default: '8780',
    form: '0 to 65535',
    purpose: 'The port to listen on; 0 takes a free one.',
  }),
  METRICS_HOST: variable({
    parse: listenHost,
    default: '127.0.0.1',
    form: 'IP address or host name',
    purpose:
      'The address that serves `/metrics` to Prometheus. Anyone who can reach it can read the metrics without a key.',
  }),
  METRICS_PORT: variable({
    parse: portOrOff,
    default: null,
    shownDefault: '`PORT` + 1000',
    form: '`off`, or 0 to 65535',
    purpose: 'The port of `/metrics`, which `PORT` does not serve; 0 takes a free one.',
  }),
  PUBLIC_URL: variable({
    parse: baseUrl,
    default: null,
    shownDefault: '`http://HOST:PORT`',
    form: 'http or https address',
    purpose: 'Where callers reach the service; links, callbacks and page URLs start with it.',
  }),
  APP_URL: variable({
    parse: baseUrl,
    default: null,
    shownDefault: '`PUBLIC_URL`',
    form: 'http or https address without a path',
    purpose: 'Where people reach the web application; also the issuer of OAuth tokens.',
  }),
  MCP_URL: variable({
    parse: baseUrl,
    default: null,
    shownDefault: '`PUBLIC_URL`',
    form: 'http or https address',
    purpose: 'Where AI agents reach the MCP server, without the `/mcp` at the end.',
  }),
  DATA_DIR: variable({
    parse: anyText,
    default: './data',
    form: 'directory',
    purpose: 'Holds the embedded database, the generated encryption key and the control socket. Back it up.',
  }),
  DATABASE_URL: variable({
    parse: connectionUrl(['postgres', 'postgresql']),
    default: null,
    shownDefault: 'embedded database in `DATA_DIR`',
    form: '`postgres://…`',
    purpose: 'A PostgreSQL database, needed for more than one process. Secret.',
  }),
  REDIS_URL: variable({
    parse: connectionUrl(['redis', 'rediss']),
    default: null,
    shownDefault: 'in this process',
    form: '`redis://…` or `rediss://…`',
    purpose:
      'Where several processes count what rate limits allow. Without it, processes on one Postgres server count there, at a higher cost per request. Secret.',
  }),
  ENCRYPTION_KEY: variable({
    parse: encryptionKey,
    default: null,
    shownDefault: 'generated into `DATA_DIR/encryption.key`',
    form: '`<id>:<base64>`, separated by commas, or one bare key',
    purpose:
      'Seals tokens and secrets in the database. 32 random bytes each; the first key seals, all keys open. Secret.',
  }),
  TRUST_PROXY: variable({
    parse: trustProxy,
    default: 'false',
    form: '`false`, 1 to 16, or networks',
    purpose:
      'Which proxies in front are trusted to report the client address: how many, or in which networks.',
  }),
  OUTBOUND_ALLOW: variable({
    parse: cidrList,
    default: null,
    shownDefault: 'none',
    form: 'networks, separated by commas',
    purpose:
      'Private networks that webhooks may reach, also over plain http and by address. Without it, webhooks reach public https hosts only.',
  }),
  OUTBOUND_DNS: variable({
    parse: serverList,
    default: null,
    shownDefault: 'those of the machine',
    form: 'IP addresses, with or without a port, separated by commas',
    purpose: 'DNS servers that resolve the host names of webhooks.',
  }),
  SANDBOX: variable({
    parse: oneOf(['auto', 'on', 'off']),
    default: 'auto',
    form: '`auto`, `on` or `off`',
    purpose:
      'Simulators instead of every integration. `auto` is on while no vendor credentials are set; a folder or address of your own, such as `CSV_FOLDER_ROOT`, is none.',
  }),
  SANDBOX_DATA: variable({
    parse: anyText,
    default: null,
    shownDefault: 'none',
    form: 'file',
    purpose:
      'A bank data file whose banks and customers the sandbox serves as well; see [sandbox.md](sandbox.md).',
  }),
  SANDBOX_WEBHOOKS: variable({
    parse: oneOf(['on', 'off']),
    default: 'off',
    form: '`on` or `off`',
    purpose:
      'Whether simulated providers send notifications automatically, when data arrives and when a consent changes. Off: only those that the service subscribes to, and when their control API is told to.',
  }),
  PERSONAL_ACCOUNT: variable({
    parse: accountRecordId,
    default: null,
    shownDefault: 'none',
    form: 'id of an account record, `acc_…`',
    purpose:
      'The account record that may link a provider with personal credentials, as `tributary account list` prints it. Without it, such a provider is linked only while there is one account record.',
  }),
  SMTP_URL: variable({
    parse: smtpServer,
    default: null,
    shownDefault: 'no mail',
    form: '`smtp://…` or `smtps://…`',
    purpose:
      'The mail server for password resets, invitations and [notifications](notifications.md); without it the operator hands out the links. A password is sent only over TLS, or to this machine. Secret.',
  }),
  SMTP_FROM: variable({
    parse: mailSender,
    default: null,
    shownDefault: 'none',
    form: 'e-mail address',
    purpose: 'The sender of these mails; needed with `SMTP_URL`.',
  }),
  VAPID_PRIVATE_KEY: variable({
    parse: vapidKey,
    default: null,
    shownDefault: 'generated and stored, sealed',
    form: '32 bytes in base64url',
    purpose:
      'The key by which push services know this service, to take over browsers from another installation. Another key here ends the notifications of every browser that was added before. Secret.',
  }),
  EXCHANGE_RATES: variable({
    parse: exchangeRates,
    default: null,
    shownDefault: 'none',
    form: '`EUR:AUD=1.65`, separated by commas',
    purpose:
      'What one unit of a currency is worth in another, to add up the currencies of a person in the web application. Without a rate, each currency is shown alone.',
  }),
  BACKUP_FOLDER: variable({
    parse: absolutePath,
    default: null,
    shownDefault: 'no backups',
    form: 'absolute path',
    purpose:
      'Where the embedded database is [backed up](self-hosting.md#backup-and-restore) by schedule, best on another disk. The encryption key is not in a backup.',
  }),
  BACKUP_PASSPHRASE: variable({
    parse: passphrase,
    default: null,
    shownDefault: 'none',
    form: `at least ${PASSPHRASE_CHARACTERS} characters`,
    purpose: 'What backups are encrypted with; needed with `BACKUP_FOLDER`. Secret.',
  }),
  BACKUP_HOURS: variable({
    parse: integer(1, 720),
    default: '24',
    form: '1 to 720 hours',
    purpose: 'How long after a backup the next one is made.',
  }),
  BACKUP_KEEP: variable({
    parse: integer(1, 1000),
    default: '7',
    form: '1 to 1000 backups',
    purpose: 'How many backups stay in the folder; older ones are deleted.',
  }),
  LOG_LEVEL: variable({
    parse: oneOf(LOG_LEVELS),
    default: 'info',
    form: LOG_LEVELS.map((level) => `\`${level}\``).join(', '),
    purpose: 'The least important messages to log.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    parse: baseUrl,
    default: null,
    shownDefault: 'no traces',
    form: 'http or https address',
    purpose:
      'The collector that [traces](self-hosting.md#traces) are sent to, without the `/v1/traces` at the end.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable({
    parse: baseUrl,
    default: null,
    shownDefault: '`OTEL_EXPORTER_OTLP_ENDPOINT` + `/v1/traces`',
    form: 'http or https address',
    purpose: 'The same as the whole address.',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable({
    parse: traceProtocol,
    default: 'http/json',
    form: '`http/json`',
    purpose: 'The form in which traces are sent.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    parse: headerList,
    default: null,
    shownDefault: 'none',
    form: '`name=value`, separated by commas',
    purpose: 'Headers for the collector, such as its key; values are percent-encoded. Secret.',
  }),
  OTEL_SERVICE_NAME: variable({
    parse: serviceName,
    default: 'tributary',
    form: 'text',
    purpose: 'The name of this service in traces.',
  }),
  OTEL_TRACES_SAMPLER: variable({
    parse: oneOf(SAMPLER_NAMES),
    default: 'parentbased_always_on',
    form: SAMPLER_NAMES.map((name) => `\`${name}\``).join(', '),
    purpose:
      'Which traces are recorded. What callers say about theirs decides nothing, so those with `parentbased_` are the same as those without.',
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    parse: share,
    default: null,
    shownDefault: '1',
    form: '0 to 1',
    purpose: 'The share of traces that is recorded, for the samplers with `traceidratio`.',
  }),
  OTEL_SDK_DISABLED: variable({
    parse: trueOrFalse,
    default: 'false',
    form: '`true` or `false`',
    purpose: 'Whether there are no traces, whatever the other variables say.',
  }),
  ROLES: variable({
    parse: someOf(ROLES),
    default: ROLES.join(','),
    form: `${ROLES.map((role) => `\`${role}\``).join(', ')}, separated by commas`,
    purpose: 'What this process does. Several processes need one `DATABASE_URL`.',
  }),
  SHUTDOWN_SECONDS: variable({
    parse: integer(0, 600),
    default: '25',
    form: '0 to 600 seconds',
    purpose: 'How long requests and jobs may take to finish after a stop signal.',
  }),
} as const;

/** The variable that sets a limit. */
export function limitVariable(name: LimitName): Variable<number> {
  const { min, max, unit, source, default: value } = LIMITS[name];
  return {
    parse: integer(min, max),
    default: String(value),
    form: `${min} to ${max} ${unit}`,
    purpose: `\`${name}\` (${source}).`,
  };
}

/** Every variable by its name, in the order of the documentation. */
export function allVariables(
  integrations: readonly IntegrationSettings[],
): ReadonlyMap<string, Variable<unknown>> {
  const limits = LIMIT_NAMES.map((name): [string, Variable<unknown>] => [
    LIMITS[name].env,
    limitVariable(name),
  ]);
  const theirs = integrations.flatMap(({ variables }) =>
    variables.map((one): [string, Variable<unknown>] => [one.env, one]),
  );
  return new Map<string, Variable<unknown>>([...Object.entries(VARIABLES), ...theirs, ...limits]);
}

/** The row of docs/configuration.md for one variable. */
export function documentationRow(
  name: string,
  { default: value, shownDefault, form, purpose }: Variable<unknown>,
): string {
  const shown = shownDefault ?? (value === null ? 'none' : `\`${value}\``);
  return `| \`${name}\` | ${shown} | ${form} | ${purpose} |`;
}
