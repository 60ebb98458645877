import { createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import { request } from 'undici';
import type { Config } from '../../platform/config.ts';
import { LIMITS } from '../../vocabulary/limits.ts';
import { RATE_TIERS } from '../../vocabulary/rate-tiers.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const ANSWER_MS = 5_000;

/** Checks the network settings of the configuration from this machine. No finding for what is not configured. */
export async function checkNetwork(config: Config): Promise<readonly Finding[]> {
  return [
    await checkPort(config),
    ...checkProxy(config),
    ...checkMetrics(config),
    ...checkRedis(config),
    ...checkRates(config),
    ...(await checkMail(config)),
  ];
}

/** Whether the port is free, or this service has it. */
async function checkPort({ host, port }: Config): Promise<Finding> {
  const check = 'port';
  const place = `${host}:${port}`;
  const code = await bindError(host, port);
  if (code === null) return ok(check, `${place} is free`);
  if (code === 'EADDRINUSE') {
    return (await answersHere(host, port))
      ? ok(check, `${place} is in use by this service, which is running`)
      : fail(
          check,
          `${place} is in use by another program`,
          'Stop that program, or set PORT to one that is free.',
        );
  }
  return fail(
    check,
    `${place} cannot be listened on (${code})`,
    'Set HOST to an address of this machine, and PORT to one that this user may open.',
  );
}

/** Behind a proxy that is not trusted, all callers have its address, so limits by network affect everyone together. */
function checkProxy({ publicUrl, trustProxy }: Config): Finding[] {
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
      'Set METRICS_HOST=127.0.0.1, or keep the port behind a firewall.',
    ),
  ];
}

function checkRedis({ redisUrl, databaseUrl }: Config): Finding[] {
  if (redisUrl === null || databaseUrl !== null) return [];
  return [
    warn(
      'redis',
      'REDIS_URL is set without DATABASE_URL: the embedded database serves one process, which has nothing to share',
      'Remove REDIS_URL, or move to Postgres: docs/self-hosting.md.',
    ),
  ];
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
async function checkMail({ mail }: Config): Promise<Finding[]> {
  if (mail === null) return [];
  const check = 'mail';
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
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Why it cannot be listened on; null if it can. */
function bindError(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function answersHere(host: string, port: number): Promise<boolean> {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host;
  const name = reached.includes(':') && !reached.startsWith('[') ? `[${reached}]` : reached;
  try {
    const answer = await request(`http://${name}:${port}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.body.text();
    return answer.statusCode === 200 && text.includes('"status"');
  } catch {
    return false;
  }
}
