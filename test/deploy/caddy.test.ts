import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../src/platform/free-port.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startService, type TestService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CADDY = '/usr/bin/caddy';
const NAME = 'tributary.example.com';
const STARTED_MS = 60_000;
/** Where everything must run, a test that cannot is a failure. */
const MUST = process.env.CI === 'true';
const SKIP = !THOROUGH
  ? 'runs with THOROUGH'
  : !MUST && !existsSync(CADDY)
    ? 'caddy is not installed'
    : false;
const run = promisify(execFile);
const caddyfile = await readFile(join(ROOT, 'deploy/Caddyfile'), 'utf8');

describe('the Caddyfile', () => {
  test('is the one in docs/https.md, where lines are indented, and in docs/self-hosting.md', async () => {
    const [https = '', selfHosting = ''] = await Promise.all(
      ['https', 'self-hosting'].map((page) => readFile(join(ROOT, `docs/${page}.md`), 'utf8')),
    );
    assert.ok(https.replaceAll(/^ {3}/gm, '').includes(`\`\`\`caddyfile\n${caddyfile}\`\`\``));
    assert.ok(selfHosting.includes(`\`\`\`caddyfile\n${caddyfile}\`\`\``));
  });

  test('has one site of the documented name, which goes to the port that the service has by default', () => {
    const lines = caddyfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    assert.deepEqual(lines, [`${NAME} {`, '\treverse_proxy 127.0.0.1:8780', '}']);
  });
});

describe('Caddy before the service, by that Caddyfile and an authority of its own', { skip: SKIP }, () => {
  let place = '';
  let service: TestService;
  let caddy: ChildProcess;
  let authority = '';
  let ports = { http: 0, https: 0 };
  let written = '';

  before(async () => {
    place = await scratchDirectory();
    service = await startService({ PUBLIC_URL: `https://${NAME}`, TRUST_PROXY: '1' });
    ports = { http: await freePort('127.0.0.1'), https: await freePort('127.0.0.1') };
    const file = join(place, 'Caddyfile');
    // Ports that any user may open, and certificates without the internet; the site is as documented.
    const options = [
      'admin off',
      'local_certs',
      'skip_install_trust',
      `http_port ${ports.http}`,
      `https_port ${ports.https}`,
      `storage file_system ${join(place, 'storage')}`,
    ];
    const site = caddyfile.replace('127.0.0.1:8780', new URL(service.url).host);
    await writeFile(file, `{\n${options.map((option) => `\t${option}\n`).join('')}}\n${site}`);
    const env = { PATH: process.env.PATH, HOME: place };
    await run(CADDY, ['validate', '--adapter', 'caddyfile', '--config', file], { env });
    caddy = spawn(CADDY, ['run', '--adapter', 'caddyfile', '--config', file], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    caddy.stderr?.setEncoding('utf8').on('data', (said: string) => {
      written = (written + said).slice(-10_000);
    });
    await ready();
  });
  after(async () => {
    if (caddy !== undefined && caddy.exitCode === null) {
      caddy.kill();
      await once(caddy, 'exit');
    }
    await service?.close();
    await rm(place, { recursive: true, force: true });
  });

  async function ready(): Promise<void> {
    const root = join(place, 'storage/pki/authorities/local/root.crt');
    const until = Date.now() + STARTED_MS;
    while (Date.now() < until) {
      assert.equal(caddy.exitCode, null, written);
      authority = await readFile(root, 'utf8').catch(() => '');
      const answer = authority === '' ? null : await ask('/healthz').catch(() => null);
      if (answer?.status === 200) return;
      await setTimeout(100);
    }
    assert.fail(`Caddy does not serve within ${STARTED_MS} ms: ${written}`);
  }

  /** As a browser that trusts the authority of Caddy and finds the name at this machine. */
  function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(
        {
          host: '127.0.0.1',
          port: ports.https,
          servername: NAME,
          ca: authority,
          path,
          headers: { host: NAME, ...headers },
          agent: false,
          timeout: STARTED_MS,
        },
        resolve,
      )
        .once('error', reject)
        .end();
    });
  }

  async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
    const answer = await open(path, headers);
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
  }

  test('has a certificate for the name, and pages whose addresses are https and which browsers return to by https', async () => {
    const { status, headers, text: page } = await ask('/sign-in', { accept: 'text/html' });
    assert.equal(status, 200);
    assert.match(String(headers['strict-transport-security']), /^max-age=\d+/);
    assert.ok(!page.includes('http://127.0.0.1'));
    const description = await ask('/v2/openapi.json');
    assert.ok(description.text.includes(`"https://${NAME}`));
  });

  test('redirects a caller without encryption', async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      plainRequest(
        { host: '127.0.0.1', port: ports.http, path: '/sign-in', headers: { host: NAME } },
        resolve,
      )
        .once('error', reject)
        .end();
    });
    answer.resume();
    assert.equal(answer.statusCode, 308);
    assert.match(String(answer.headers.location), new RegExp(`^https://${NAME}(?::\\d+)?/sign-in$`));
  });

  test('tells the service the address of the caller, and not one that the caller invents', async () => {
    const { record } = await service.owner();
    const keyFor = async (address: string): Promise<Record<string, string>> => {
      const { secret } = await service.app.services.apiKeys.create(
        record.id,
        { name: address, scopes: ['data:read'], allowedIps: [address] },
        null,
      );
      return { authorization: `Bearer ${secret}`, 'service-version': '2026-10-01.wattle' };
    };
    assert.equal((await ask('/v2/me', await keyFor('127.0.0.1'))).status, 200);
    const invented = await ask('/v2/me', {
      ...(await keyFor('203.0.113.9')),
      'x-forwarded-for': '203.0.113.9',
    });
    assert.equal(invented.status, 403);
    assert.equal(JSON.parse(invented.text).error.code, 'ip_not_allowed');
  });

  test('passes the stream of events on as it begins, without waiting for its end', async () => {
    const { key } = await service.owner();
    const stream = await open('/v2/events/stream', {
      authorization: `Bearer ${key}`,
      'service-version': '2026-10-01.wattle',
    });
    try {
      assert.equal(stream.statusCode, 200);
      assert.match(String(stream.headers['content-type']), /^text\/event-stream/);
      const [first] = await once(stream, 'data', { signal: AbortSignal.timeout(STARTED_MS) });
      assert.ok(String(first).length > 0);
    } finally {
      stream.destroy();
    }
  });

  test('answers 502 while the service is not there', async () => {
    await service.close();
    assert.equal((await ask('/healthz')).status, 502);
  });
});
