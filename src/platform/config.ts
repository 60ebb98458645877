import { isIPv6 } from 'node:net';
import { consoleFile } from '../vocabulary/consoles.ts';
import type { ExchangeRate } from '../vocabulary/exchange-rates.ts';
import type { OwnerId } from '../vocabulary/ids.ts';
import { LIMIT_NAMES, LIMITS, type Limits, limitsFrom } from '../vocabulary/limits.ts';
import type { SmtpServer, Variable } from './config-values.ts';
import type { LogLevel } from './config-variables.ts';
import { limitVariable, ROLES, SAMPLERS, VARIABLES } from './config-variables.ts';
import type { IntegrationConfig, IntegrationSettings } from './integration-settings.ts';

/** What one process can do. */
export type Role = (typeof ROLES)[number];

/** The operator's decisions, read once at the start. Addresses have no trailing slash. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Where `/metrics` is served; null for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly publicUrl: string;
  readonly appUrl: string;
  readonly mcpUrl: string;
  readonly dataDir: string;
  /** Null: the embedded database. */
  readonly databaseUrl: string | null;
  /** Null: rate limits and cache in this process. */
  readonly redisUrl: string | null;
  /** Undefined: the key file in the data directory. */
  readonly encryptionKey: string | undefined;
  readonly trustProxy: false | number | readonly string[];
  readonly outboundAllow: readonly string[];
  readonly outboundDns: readonly string[] | null;
  /** Whether simulators stand in for the integrations; `auto` is resolved. */
  readonly sandbox: boolean;
  /** A bank data file that the sandbox serves too. */
  readonly sandboxData: string | null;
  /** Whether simulated providers send notifications on their own. */
  readonly sandboxWebhooks: boolean;
  /** What is set for each integration, by its name. */
  readonly integrations: Readonly<Record<string, IntegrationConfig>>;
  /** Who may link a provider of personal credentials; null if no one is named. */
  readonly personalAccount: OwnerId | null;
  /** Through which server mail is sent, and as whom; null for no mail. */
  readonly mail: { readonly server: SmtpServer; readonly from: string } | null;
  /** Null: a key that is generated and stored. */
  readonly vapidPrivateKey: string | null;
  /** By which people see amounts of several currencies as one. */
  readonly exchangeRates: readonly ExchangeRate[];
  /** Null: no backups by schedule. */
  readonly backups: BackupSchedule | null;
  /** What backups are encrypted with, also those made by hand; null: named for each. */
  readonly backupPassphrase: string | null;
  readonly logLevel: LogLevel;
  /** Null: no traces. */
  readonly traces: TraceSettings | null;
  readonly roles: readonly Role[];
  readonly shutdownSeconds: number;
  readonly limits: Limits;
};

/** When the embedded database is backed up, and where to. */
export interface BackupSchedule {
  readonly folder: string;
  readonly passphrase: string;
  readonly everyHours: number;
  /** How many backups are kept; older ones are deleted. */
  readonly keep: number;
}

/** Where traces are sent, and how many. */
export interface TraceSettings {
  /** The whole address. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces that is recorded, above 0 and up to 1. */
  readonly ratio: number;
}

/** The environment as the service sees it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One problem with the environment. */
export type ConfigProblem = { readonly variable: string; readonly problem: string };

/** The environment cannot be used; lists every problem, and no value of any variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(
      [
        'The configuration cannot be used:',
        ...problems.map(({ variable, problem }) => `- ${variable} ${problem}.`),
      ].join('\n'),
    );
    this.problems = problems;
  }
}

/**
 * The configuration in the environment, frozen. Empty variables count as unset.
 *
 * @param outside the table of integrations, which this floor may not import
 * @throws ConfigError with every problem at once
 */
export function parseConfig(env: Environment, outside: readonly IntegrationSettings[]): Config {
  const problems: ConfigProblem[] = [];
  const read = <T>(name: string, variable: Variable<T>): T | undefined => {
    const text = given(env, name) ?? variable.default;
    if (text === null) return undefined;
    const parsed = variable.parse(text);
    if ('value' in parsed) return parsed.value;
    problems.push({ variable: name, problem: parsed.problem.replace(/\.$/, '') });
    return undefined;
  };

  const host = read('HOST', VARIABLES.HOST) ?? '';
  const port = read('PORT', VARIABLES.PORT) ?? 0;
  const publicUrl = read('PUBLIC_URL', VARIABLES.PUBLIC_URL) ?? listeningUrl(host, port);
  const metricsHost = read('METRICS_HOST', VARIABLES.METRICS_HOST) ?? '';
  const metricsPort = read('METRICS_PORT', VARIABLES.METRICS_PORT);
  const limits = limitsFrom((name) => read(LIMITS[name].env, limitVariable(name)) ?? LIMITS[name].default);
  const sandbox = read('SANDBOX', VARIABLES.SANDBOX);
  const integrations = Object.fromEntries(
    outside.map((integration) => [integration.name, integrationConfig(env, integration, problems, read)]),
  );
  const backupPassphrase = read('BACKUP_PASSPHRASE', VARIABLES.BACKUP_PASSPHRASE) ?? null;
  const config: Config = {
    host,
    port,
    metrics: metricsPort === null ? null : { host: metricsHost, port: metricsPort ?? besidePort(port) },
    publicUrl,
    appUrl: read('APP_URL', VARIABLES.APP_URL) ?? publicUrl,
    mcpUrl: read('MCP_URL', VARIABLES.MCP_URL) ?? publicUrl,
    dataDir: read('DATA_DIR', VARIABLES.DATA_DIR) ?? '',
    databaseUrl: read('DATABASE_URL', VARIABLES.DATABASE_URL) ?? null,
    redisUrl: read('REDIS_URL', VARIABLES.REDIS_URL) ?? null,
    encryptionKey: read('ENCRYPTION_KEY', VARIABLES.ENCRYPTION_KEY),
    trustProxy: read('TRUST_PROXY', VARIABLES.TRUST_PROXY) ?? false,
    outboundAllow: read('OUTBOUND_ALLOW', VARIABLES.OUTBOUND_ALLOW) ?? [],
    outboundDns: read('OUTBOUND_DNS', VARIABLES.OUTBOUND_DNS) ?? null,
    sandbox:
      sandbox === 'on' ||
      (sandbox === 'auto' && !outside.some((integration) => hasCredentials(integration, integrations))),
    sandboxData: read('SANDBOX_DATA', VARIABLES.SANDBOX_DATA) ?? null,
    sandboxWebhooks: read('SANDBOX_WEBHOOKS', VARIABLES.SANDBOX_WEBHOOKS) === 'on',
    integrations,
    personalAccount: read('PERSONAL_ACCOUNT', VARIABLES.PERSONAL_ACCOUNT) ?? null,
    mail: mailOf(read('SMTP_URL', VARIABLES.SMTP_URL), read('SMTP_FROM', VARIABLES.SMTP_FROM)),
    vapidPrivateKey: read('VAPID_PRIVATE_KEY', VARIABLES.VAPID_PRIVATE_KEY) ?? null,
    exchangeRates: read('EXCHANGE_RATES', VARIABLES.EXCHANGE_RATES) ?? [],
    backups: backupsOf(read, backupPassphrase),
    backupPassphrase,
    logLevel: read('LOG_LEVEL', VARIABLES.LOG_LEVEL) ?? 'info',
    traces: tracesOf(read),
    roles: read('ROLES', VARIABLES.ROLES) ?? ROLES,
    shutdownSeconds: read('SHUTDOWN_SECONDS', VARIABLES.SHUTDOWN_SECONDS) ?? 0,
    limits,
  };
  problems.push(...contradictions(env, config));
  if (problems.length > 0) throw new ConfigError(problems);
  return deepFreeze(config);
}

function backupsOf(
  read: <T>(name: string, variable: Variable<T>) => T | undefined,
  passphrase: string | null,
): BackupSchedule | null {
  const folder = read('BACKUP_FOLDER', VARIABLES.BACKUP_FOLDER) ?? null;
  const everyHours = read('BACKUP_HOURS', VARIABLES.BACKUP_HOURS) ?? 0;
  const keep = read('BACKUP_KEEP', VARIABLES.BACKUP_KEEP) ?? 0;
  return folder === null || passphrase === null ? null : { folder, passphrase, everyHours, keep };
}

function tracesOf(read: <T>(name: string, variable: Variable<T>) => T | undefined): TraceSettings | null {
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', VARIABLES.OTEL_EXPORTER_OTLP_ENDPOINT);
  const whole = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', VARIABLES.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  read('OTEL_EXPORTER_OTLP_PROTOCOL', VARIABLES.OTEL_EXPORTER_OTLP_PROTOCOL);
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS', VARIABLES.OTEL_EXPORTER_OTLP_HEADERS) ?? {};
  const serviceName = read('OTEL_SERVICE_NAME', VARIABLES.OTEL_SERVICE_NAME) ?? '';
  const sampler = read('OTEL_TRACES_SAMPLER', VARIABLES.OTEL_TRACES_SAMPLER) ?? 'always_off';
  const share = read('OTEL_TRACES_SAMPLER_ARG', VARIABLES.OTEL_TRACES_SAMPLER_ARG);
  const disabled = read('OTEL_SDK_DISABLED', VARIABLES.OTEL_SDK_DISABLED) === true;
  const { ratio: usual, takesShare } = SAMPLERS[sampler];
  const ratio = takesShare ? (share ?? usual) : usual;
  const endpoint = whole ?? (base === undefined ? undefined : `${base}/v1/traces`);
  return disabled || endpoint === undefined || ratio === 0 ? null : { endpoint, headers, serviceName, ratio };
}

/** What is set for one integration: either all credentials of one alternative, or none at all. */
function integrationConfig(
  env: Environment,
  { name: integration, variables, alternatives }: IntegrationSettings,
  problems: ConfigProblem[],
  read: <T>(name: string, variable: Variable<T>) => T | undefined,
): IntegrationConfig {
  const texts: Record<string, string> = {};
  const accepted = variables.filter((variable) => {
    const text = given(env, variable.env) ?? variable.default;
    if (text === null || read(variable.env, variable) === undefined) return false;
    texts[variable.env] = text;
    return true;
  });
  const ways = alternatives ?? [variables.filter(({ role }) => role === 'credential')];
  const first = variables.find((one) => one.role.endsWith('credential') && given(env, one.env) !== undefined);
  if (first !== undefined) {
    const file = consoleFile(integration);
    const where = file === null ? '' : `; see ${file}`;
    const missing = missingCredentials(env, ways, first.env);
    problems.push(...missing.map(({ variable, problem }) => ({ variable, problem: `${problem}${where}` })));
  }
  return { complete: ways.some((way) => way.every((one) => accepted.includes(one))), texts };
}

/** What is missing from the alternative that lacks the fewest; the first of equals is reported and names the others. */
function missingCredentials(
  env: Environment,
  ways: readonly IntegrationSettings['variables'][],
  since: string,
): ConfigProblem[] {
  const lacking = ways.map((way) =>
    way.map((one) => one.env).filter((name) => given(env, name) === undefined),
  );
  const fewest = Math.min(...lacking.map(({ length }) => length));
  const [nearest = [], ...others] = lacking.filter(({ length }) => length === fewest);
  const different = new Set(others.map((names) => names.join(' and ')));
  different.delete(nearest.join(' and '));
  const instead = [...different].map((names) => `, or ${names} instead,`).join('');
  return nearest.map((variable) => ({ variable, problem: `must be set${instead || ','} since ${since} is` }));
}

/** Whether credentials are set for the integration, which is then no longer simulated. */
export function hasCredentials(
  { name, variables }: IntegrationSettings,
  integrations: Readonly<Record<string, IntegrationConfig>>,
): boolean {
  const isFromVendor = variables.some(({ role, isLocal }) => role === 'credential' && isLocal !== true);
  return isFromVendor && integrations[name]?.complete === true;
}

/**
 * How far the default port of `/metrics` is from `PORT`: far enough not to be the port of a second process on the
 * machine.
 */
export const METRICS_PORT_AFTER = 1_000;

function besidePort(port: number): number {
  if (port === 0) return 0;
  return port + METRICS_PORT_AFTER > 65_535 ? port - METRICS_PORT_AFTER : port + METRICS_PORT_AFTER;
}

/**
 * The same configuration once the port is known: with `PORT=0` the default addresses contain the port that was
 * assigned.
 */
export function withBoundPort(config: Config, port: number): Config {
  const before = listeningUrl(config.host, config.port);
  const after = listeningUrl(config.host, port);
  const moved = (url: string) => (url === before ? after : url);
  return deepFreeze({
    ...config,
    port,
    publicUrl: moved(config.publicUrl),
    appUrl: moved(config.appUrl),
    mcpUrl: moved(config.mcpUrl),
  });
}

function mailOf(server: SmtpServer | undefined, from: string | undefined): Config['mail'] {
  return server === undefined || from === undefined ? null : { server, from };
}

/** Checks that need several values. */
function contradictions(env: Environment, config: Config): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (config.limits.page_size_default > config.limits.page_size_max) {
    problems.push({
      variable: LIMITS.page_size_default.env,
      problem: `must not be above ${LIMITS.page_size_max.env}`,
    });
  }
  // The metadata of an issuer with a path is at another address (RFC 8414, section 3), and cookies reach further than it.
  if ((URL.parse(config.appUrl)?.pathname ?? '/') !== '/') {
    problems.push({
      variable: 'APP_URL',
      problem: 'must have no path; where PUBLIC_URL has one, set APP_URL to an address of its own',
    });
  }
  const [sends, sender] = [given(env, 'SMTP_URL'), given(env, 'SMTP_FROM')];
  if (sends !== undefined && sender === undefined) {
    problems.push({ variable: 'SMTP_FROM', problem: 'must be set, since SMTP_URL is' });
  }
  const folder = given(env, 'BACKUP_FOLDER');
  const isFolder = folder !== undefined && 'value' in VARIABLES.BACKUP_FOLDER.parse(folder);
  if (isFolder && given(env, 'BACKUP_PASSPHRASE') === undefined)
    problems.push({ variable: 'BACKUP_PASSPHRASE', problem: 'must be set, since BACKUP_FOLDER is' });
  const share = given(env, 'OTEL_TRACES_SAMPLER_ARG');
  if (share !== undefined && /^$|_o(n|ff)$/.test(given(env, 'OTEL_TRACES_SAMPLER') ?? '')) {
    problems.push({
      variable: 'OTEL_TRACES_SAMPLER_ARG',
      problem: 'has an effect only with OTEL_TRACES_SAMPLER=traceidratio or parentbased_traceidratio',
    });
  }
  const limitVariables = new Set<string>(LIMIT_NAMES.map((name) => LIMITS[name].env));
  for (const name of Object.keys(env)) {
    if (/^LIMIT_[A-Z0-9_]{1,60}$/.test(name) && !limitVariables.has(name)) {
      problems.push({ variable: name, problem: 'is not a limit of this service; see docs/configuration.md' });
    }
  }
  return problems;
}

function given(env: Environment, name: string): string | undefined {
  const text = Object.hasOwn(env, name) ? env[name]?.trim() : undefined;
  return text === '' ? undefined : text;
}

/** A wildcard address cannot be called; localhost reaches it. */
function listeningUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
