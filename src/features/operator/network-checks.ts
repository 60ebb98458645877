import ipaddr from 'ipaddr.js';
import { request } from 'undici';
import type { Config } from '../../platform/config.ts';
import { parseCidr } from '../../platform/network-addresses.ts';
import { LIMIT_NAMES, LIMITS } from '../../vocabulary/limits.ts';
import { RATE_TIERS } from '../../vocabulary/rate-tiers.ts';
import { type Finding, fail, findingsFrom, ok, warn } from './finding.ts';
import { checkMetricsPort, checkPort } from './port-checks.ts';

const ANSWER_MS = 5_000;
/** What is read of an answer; the rest is dropped with the connection. */
const ANSWER_BYTES = 16 * 1024;
/** Units of limits that slow down guessing and overload. */
const PER_TIME = /^(?:requests|attempts) (?:a minute|in 15 minutes)$/;
const MOST_TIMES_THE_DEFAULT = 10;
/** The shortest prefix of a private network: 10.0.0.0/8 and fc00::/7. */
const BROADEST = { ipv4: 8, ipv6: 7 } as const;
const PRIVATE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
/** Values of `sslmode` with which the driver does not encrypt. */
const UNENCRYPTED: ReadonlySet<string> = new Set(['disable', 'allow']);
const OWN_NAME = /(?:^localhost|\.(?:local|internal|lan|home\.arpa|svc))$/;

/** Checks the network settings of the configuration from this machine. No finding for what is not configured. */
export async function checkNetwork(config: Config): Promise<readonly Finding[]> {
  return findingsFrom([
    ['port', () => checkPort(config)],
    ['metrics port', () => checkMetricsPort(config)],
    ['proxy', () => checkProxy(config)],
    ['metrics', () => checkMetrics(config)],
    ['traces', () => checkTraces(config)],
    ['redis', () => checkRedis(config)],
    ['unencrypted stores', () => checkStoreEncryption(config)],
    ['rates', () => checkRates(config)],
    ['raised limits', () => checkRaised(config)],
    ['plain http', () => checkAddresses(config)],
    ['listening address', () => checkListening(config)],
    ['outgoing addresses', () => checkOutgoing(config)],
    ['mail', () => checkMail(config)],
  ]);
}

/** Behind a proxy that is not trusted, all callers have its address, so limits by network affect everyone together. */
function checkProxy({ publicUrl, trustProxy, host }: Config): Finding[] {
  if (trustProxy !== false && isLoopback(new URL(publicUrl).hostname) && !isLoopback(host))
    return [
      warn(
        'proxy',
        'TRUST_PROXY is set, but PUBLIC_URL is this machine, so there seems to be no proxy: any caller can claim any address',
        'Remove TRUST_PROXY, or set PUBLIC_URL to the address of the proxy.',
      ),
    ];
  if (!publicUrl.startsWith('https:') || trustProxy !== false) return [];
  return [
    warn(
      'proxy',
      'PUBLIC_URL is https, so there is a proxy in front, but TRUST_PROXY is not set: all callers seem to have the address of the proxy',
      'Set TRUST_PROXY=1 if there is one proxy in front.',
    ),
  ];
}

function checkMetrics({ metrics }: Config): Finding[] {
  if (metrics === null || isLoopback(metrics.host)) return [];
  return [
    warn(
      'metrics',
      `figures are served at ${metrics.host}:${metrics.port} to anyone who can reach it, without a password`,
    ),
  ];
}

/** Sends the collector a request without spans, which it answers like any other (OTLP/HTTP). */
async function checkTraces({ traces }: Config): Promise<Finding[]> {
  if (traces === null) return [];
  const check = 'traces';
  const { origin } = new URL(traces.endpoint);
  try {
    const answer = await request(traces.endpoint, {
      method: 'POST',
      headers: { ...traces.headers, 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body.dump({ limit: ANSWER_BYTES });
    return answer.statusCode >= 200 && answer.statusCode < 300
      ? [ok(check, `${origin} takes traces`)]
      : [fail(check, `${origin} answers ${answer.statusCode} to an empty list of spans`)];
  } catch {
    return [fail(check, `${origin} cannot be reached, or does not answer within ${ANSWER_MS / 1000} s`)];
  }
}

async function checkRedis({ redisUrl, databaseUrl }: Config): Promise<Finding[]> {
  if (redisUrl === null) return [];
  if (databaseUrl === null)
    return [
      warn(
        'redis',
        'REDIS_URL is set without DATABASE_URL: the embedded database serves one process, which has nothing to share',
        'Remove REDIS_URL, or move to Postgres: docs/self-hosting.md.',
      ),
    ];
  const { openRedis } = await import('../../platform/redis-client.ts');
  try {
    const client = await openRedis(redisUrl, () => undefined);
    client.destroy();
    return [ok('redis', 'answers')];
  } catch {
    return [fail('redis', 'the server in REDIS_URL cannot be reached')];
  }
}

/** Limits against guessing and overload that hardly limit anything. */
function checkRaised({ limits }: Config): Finding[] {
  const raised = LIMIT_NAMES.filter(
    (name) =>
      PER_TIME.test(LIMITS[name].unit) && limits[name] > LIMITS[name].default * MOST_TIMES_THE_DEFAULT,
  );
  if (raised.length === 0) return [];
  const shown = raised.map(
    (name) => `${LIMITS[name].env} is ${limits[name]} instead of ${LIMITS[name].default}`,
  );
  return [warn('raised limits', shown.join(', '))];
}

/** Each address is https, or on this machine. */
function checkAddresses({ publicUrl, appUrl, mcpUrl }: Config): Finding[] {
  const plain = Object.entries({ PUBLIC_URL: publicUrl, APP_URL: appUrl, MCP_URL: mcpUrl }).filter(
    ([, url]) => url.startsWith('http:') && !isLoopback(new URL(url).hostname),
  );
  if (plain.length === 0) return [];
  return [warn('plain http', plain.map(([name, url]) => `${name} is ${url}`).join(', '))];
}

/** Whether the address that callers are given is one that they can use. Processes on one Postgres share an address. */
function checkListening({ host, port, publicUrl, databaseUrl }: Config): Finding[] {
  const url = new URL(publicUrl);
  if (!isLoopback(url.hostname)) return [];
  if (!isLoopback(host))
    return [
      warn(
        'listening address',
        `HOST=${host} is open to other machines, but links lead to ${publicUrl}, which is this machine for each of them`,
      ),
    ];
  const leadsTo = url.port === '' ? 80 : Number(url.port);
  if (databaseUrl !== null || url.protocol !== 'http:' || leadsTo === port) return [];
  return [warn('listening address', `PUBLIC_URL leads to port ${leadsTo}, but PORT is ${port}`)];
}

/** Networks that webhooks may reach although they are not public. */
function checkOutgoing({ outboundAllow, sandbox }: Config): Finding[] {
  const broad = outboundAllow.filter((network) => isBroad(network, sandbox));
  if (broad.length === 0) return [];
  return [
    warn(
      'outgoing addresses',
      `OUTBOUND_ALLOW lets webhooks of every account record reach ${broad.join(', ')}`,
    ),
  ];
}

function isBroad(network: string, sandbox: boolean): boolean {
  const cidr = parseCidr(network);
  if (cidr === null) return true;
  const [address, prefix] = cidr;
  if (prefix < BROADEST[address.kind()]) return true;
  const range = address.range();
  return !PRIVATE.has(range) && !(sandbox && range === 'loopback');
}

/** Whether Postgres and Redis are reached through the internet without encryption. */
function checkStoreEncryption({ databaseUrl, redisUrl }: Config): Finding[] {
  const open = Object.entries({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }).filter(
    ([, url]) => url !== null && isOpen(new URL(url)),
  );
  if (open.length === 0) return [];
  return [
    warn(
      'unencrypted stores',
      `${open.map(([name]) => name).join(' and ')} reaches a server on the internet without encryption`,
    ),
  ];
}

function isOpen(url: URL): boolean {
  if (url.protocol === 'rediss:') return false;
  if (url.protocol !== 'redis:' && !UNENCRYPTED.has(url.searchParams.get('sslmode') ?? 'disable'))
    return false;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A name without a dot is one of the own network, such as that of a container.
  if (!ipaddr.isValid(host)) return host.includes('.') && !OWN_NAME.test(host);
  return ipaddr.process(host).range() === 'unicast';
}

/** Every request also counts before its caller is known, so a rate above that limit is never reached. */
function checkRates({ limits }: Config): Finding[] {
  const tiers = Object.values(RATE_TIERS);
  const ceilings = [
    { ceiling: 'auth_attempts_per_minute', whose: 'key', of: tiers.map(({ limit }) => limit) },
    {
      ceiling: 'session_requests_per_minute',
      whose: 'session',
      of: tiers.flatMap(({ session }) => session ?? []),
    },
  ] as const;
  return ceilings.flatMap(({ ceiling, whose, of }) => {
    const above = of.filter((limit) => limits[limit] > limits[ceiling]);
    if (above.length === 0) return [];
    const { env } = LIMITS[ceiling];
    return [
      warn(
        'rates',
        `${above.map((limit) => LIMITS[limit].env).join(', ')} allow more requests a minute than ${env}, which is ${limits[ceiling]} for each ${whose} and address`,
        `Raise ${env} to the largest of them.`,
      ),
    ];
  });
}

/** Connects to the mail server and signs in; no mail is sent. */
async function checkMail({ mail, sandbox, appUrl }: Config): Promise<Finding[]> {
  const check = 'mail';
  if (mail === null) {
    if (sandbox || isLoopback(new URL(appUrl).hostname)) return [];
    return [warn(check, 'no mail server is set, so no one gets a link for a new password')];
  }
  const { host, port } = mail.server;
  const { Mailer } = await import('../../platform/mailer.ts');
  const mailer = new Mailer(mail.server, mail.from);
  try {
    await mailer.verify();
    return [ok(check, `${host}:${port} accepts mail from this service`)];
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    return [
      fail(
        check,
        `${host}:${port} does not accept mail: ${said}`,
        'Correct SMTP_URL, or remove it to hand out links yourself.',
      ),
    ];
  } finally {
    mailer.close();
  }
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
