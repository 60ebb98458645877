import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  eventSignatureHeaders,
  newSigningSecret,
  signatureHeaders,
} from '../../../src/platform/webhook-signature.ts';
import {
  DISABLED_AFTER_MS,
  EVENT_RETRY_DELAYS_MS,
  LONGEST_RETRY_AFTER_MS,
} from '../../../src/vocabulary/event-deliveries.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { headingsOf, section } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';

const page = readText('docs/receiving-events.md');
const run = promisify(execFile);

/** Runs the function of the page: `cases.json` holds `[{ body, headers, secret }]`, and it prints its verdicts as JSON. */
interface Runtime {
  /** Heading of its code on the page. */
  readonly heading: string;
  readonly command: string;
  readonly probe: readonly string[];
  readonly files: (code: string) => Readonly<Record<string, string>>;
  readonly start: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  {
    heading: 'Node',
    command: process.execPath,
    probe: ['--version'],
    files: (code) => ({
      'receiver.mjs': code,
      'main.mjs': `import { readFileSync } from 'node:fs';
import { verified } from './receiver.mjs';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(JSON.stringify(cases.map(({ body, headers, secret }) => verified(Buffer.from(body, 'base64'), headers, secret))));`,
    }),
    start: ['main.mjs'],
  },
  {
    heading: 'Python',
    command: 'python3',
    probe: ['--version'],
    files: (code) => ({
      'receiver.py': code,
      'main.py': `import base64, json
from receiver import verified
cases = json.load(open("cases.json"))
print(json.dumps([verified(base64.b64decode(c["body"]), c["headers"], c["secret"]) for c in cases]))`,
    }),
    start: ['main.py'],
  },
  {
    heading: 'PHP',
    command: 'php',
    probe: ['--version'],
    files: (code) => ({
      'main.php': `<?php
declare(strict_types=1);
${code}
$cases = json_decode(file_get_contents('cases.json'), true);
echo json_encode(array_map(fn($c) => verified(base64_decode($c['body']), $c['headers'], $c['secret']), $cases));`,
    }),
    start: ['main.php'],
  },
  {
    heading: 'Ruby',
    command: 'ruby',
    probe: ['--version'],
    files: (code) => ({
      'receiver.rb': code,
      'main.rb': `require 'json'
require_relative 'receiver'
cases = JSON.parse(File.read('cases.json'))
puts JSON.generate(cases.map { |c| verified?(c['body'].unpack1('m'), c['headers'], c['secret']) })`,
    }),
    start: ['main.rb'],
  },
  {
    heading: 'Go',
    command: 'go',
    probe: ['version'],
    files: (code) => ({
      'go.mod': 'module example.test/receiver\n\ngo 1.19\n',
      'receiver.go': code.replace('package receiver', 'package main'),
      'main.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []struct {
		Body    []byte
		Headers map[string]string
		Secret  string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, Verified(one.Body, header, one.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`,
    }),
    start: ['run', '.'],
  },
];

const [secret, other] = [newSigningSecret(), newSigningSecret()];
const body = Buffer.from('{"id":"evt_1","object":"event","text":"Zürich \u{1f600}"}');
const now = (): number => Math.floor(Date.now() / 1000);
type Headers = Readonly<Record<string, string>>;

const ofEvent = (secrets: readonly string[], at = now()): Headers =>
  eventSignatureHeaders(secrets, 'evt_1', at, body);
const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

/** What arrives, and whether the receiver must believe it. */
function cases(): { name: string; body: Buffer; headers: Headers; wanted: boolean }[] {
  const good = ofEvent([secret]);
  const refused = (name: string, headers: Headers, arrived = body) => ({
    name,
    body: arrived,
    headers,
    wanted: false,
  });
  const accepted = (name: string, headers: Headers) => ({ name, body, headers, wanted: true });
  return [
    accepted('an event', good),
    accepted('rows of a webhook destination', signatureHeaders([secret], 'delivery', now(), body)),
    accepted('the older of two secrets', ofEvent([other, secret])),
    accepted('the newer of two secrets', ofEvent([secret, other])),
    accepted('four minutes ago', ofEvent([secret], now() - 240)),
    refused('another secret', ofEvent([other])),
    refused('a changed body', good, Buffer.from(body.toString().replace('evt_1', 'evt_2'))),
    refused('an empty body', good, Buffer.alloc(0)),
    refused('another id', { ...good, 'webhook-id': 'evt_2' }),
    refused('another time', { ...good, 'webhook-timestamp': String(now() - 1) }),
    refused('ten minutes ago', ofEvent([secret], now() - 600)),
    refused('in ten minutes', ofEvent([secret], now() + 600)),
    refused('no time', without(good, 'webhook-timestamp')),
    refused('a time that is none', { ...good, 'webhook-timestamp': 'now' }),
    refused('no signature', without(good, 'webhook-signature')),
    refused('an empty signature', { ...good, 'webhook-signature': '' }),
    refused('the beginning of a signature', {
      ...good,
      'webhook-signature': good['webhook-signature']?.slice(0, 20) ?? '',
    }),
    refused('a signature of another version', {
      ...good,
      'webhook-signature': good['webhook-signature']?.replace('v1,', 'v2,') ?? '',
    }),
  ];
}

describe('the receiver of docs/receiving-events.md believes what we sign and nothing else', () => {
  for (const { heading, command, probe, files, start } of RUNTIMES) {
    const missing = spawnSync(command, [...probe]).status !== 0;
    test(`in ${heading}`, { skip: missing ? `${command} is not installed` : false }, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'tributary-receiver-'));
      context.after(() => rm(folder, { recursive: true, force: true }));
      const [, code = assert.fail(heading)] = /```\w+\n([\s\S]*?)```/.exec(section(page, heading)) ?? [];
      const asked = cases();
      const given = asked.map((one) => ({
        body: one.body.toString('base64'),
        headers: one.headers,
        secret,
      }));
      await writeFile(join(folder, 'cases.json'), JSON.stringify(given));
      for (const [name, text] of Object.entries(files(code))) await writeFile(join(folder, name), text);
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod' };
      const { stdout, stderr } = await run(command, [...start], { cwd: folder, env });
      assert.equal(stderr, '');
      const verdicts: unknown = JSON.parse(stdout);
      assert.ok(Array.isArray(verdicts));
      assert.deepEqual(
        verdicts.map((verdict: unknown, at) => [asked[at]?.name, verdict]),
        asked.map(({ name, wanted }) => [name, wanted]),
      );
    });
  }
});

test('docs/receiving-events.md shows a receiver for each runtime that is tried, and no other', () => {
  const shown = headingsOf(section(page, 'Verify'), 3);
  assert.deepEqual(
    shown,
    RUNTIMES.map(({ heading }) => heading),
  );
});

test('docs/receiving-events.md has the numbers by which events are sent', () => {
  const hours = EVENT_RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  const seconds = DEFAULT_LIMITS.event_deadline_ms / 1000;
  for (const text of [
    `[${EVENT_RETRY_DELAYS_MS.length + 1} attempts](events.md#deliveries) in about ${Math.round(hours)} hours`,
    `any 2xx within ${seconds} seconds | any 2xx within`,
    `waits ${seconds} seconds for it`,
    `\`Retry-After\`, up to ${LONGEST_RETRY_AFTER_MS / 3_600_000} hours`,
    `after ${DISABLED_AFTER_MS / 86_400_000} days of failures`,
    `by you for ${DEFAULT_LIMITS.event_days} days`,
  ])
    assert.ok(page.includes(text), text);
});
