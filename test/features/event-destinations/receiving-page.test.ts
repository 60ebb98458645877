import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import {
  RETRY_BUDGET_MS,
  WEBHOOK_DELAYS_MS,
  WEBHOOK_HEADERS_MS,
} from '../../../src/connectors/destinations/webhook/connector.ts';
import { FAILED_RUNS_TO_DISABLE } from '../../../src/features/sync-engine/run/run-ending.ts';
import {
  eventSignatureHeaders,
  newSigningSecret,
  SECRET_OVERLAP_MS,
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

/**
 * Runs the functions of the page: `cases.json` holds `[{ body, headers, secret, ours }]`, `ours` for the function of
 * `Service-Signature`, and it prints their verdicts as JSON.
 */
interface Runtime {
  /** Heading of its code on the page. */
  readonly heading: string;
  readonly command: string;
  readonly probe: readonly string[];
  readonly files: (standard: string, ours: string) => Readonly<Record<string, string>>;
  readonly start: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  {
    heading: 'Node',
    command: process.execPath,
    probe: ['--version'],
    files: (standard, ours) => ({
      'standard.mjs': standard,
      'ours.mjs': ours,
      'main.mjs': `import { readFileSync } from 'node:fs';
import { verifiedEvent } from './ours.mjs';
import { verified } from './standard.mjs';
const cases = JSON.parse(readFileSync('cases.json', 'utf8'));
const verdict = ({ ours, body, headers, secret }) =>
  (ours ? verifiedEvent : verified)(Buffer.from(body, 'base64'), headers, secret);
console.log(JSON.stringify(cases.map(verdict)));`,
    }),
    start: ['main.mjs'],
  },
  {
    heading: 'Python',
    command: 'python3',
    probe: ['--version'],
    files: (standard, ours) => ({
      'standard.py': standard,
      'ours.py': ours,
      'main.py': `import base64, json
from ours import verified_event
from standard import verified
def verdict(case):
    one = verified_event if case["ours"] else verified
    return one(base64.b64decode(case["body"]), case["headers"], case["secret"])
print(json.dumps([verdict(case) for case in json.load(open("cases.json"))]))`,
    }),
    start: ['main.py'],
  },
  {
    heading: 'PHP',
    command: 'php',
    probe: ['--version'],
    files: (standard, ours) => ({
      'main.php': `<?php
declare(strict_types=1);
${standard}
${ours}
$verdict = fn($case) => ($case['ours'] ? 'verifiedEvent' : 'verified')(base64_decode($case['body']), $case['headers'], $case['secret']);
echo json_encode(array_map($verdict, json_decode(file_get_contents('cases.json'), true)));`,
    }),
    start: ['main.php'],
  },
  {
    heading: 'Ruby',
    command: 'ruby',
    probe: ['--version'],
    files: (standard, ours) => ({
      'standard.rb': standard,
      'ours.rb': ours,
      'main.rb': `require 'json'
require_relative 'ours'
require_relative 'standard'
verdicts = JSON.parse(File.read('cases.json')).map do |one|
  send(one['ours'] ? :verified_event? : :verified?, one['body'].unpack1('m'), one['headers'], one['secret'])
end
puts JSON.generate(verdicts)`,
    }),
    start: ['main.rb'],
  },
  {
    heading: 'Go',
    command: 'go',
    probe: ['version'],
    files: (standard, ours) => ({
      'go.mod': 'module example.test/receiver\n\ngo 1.19\n',
      'standard.go': standard.replace('package receiver', 'package main'),
      'ours.go': ours.replace('package receiver', 'package main'),
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
		Ours    bool
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
		function := Verified
		if one.Ours {
			function = VerifiedEvent
		}
		verdicts = append(verdicts, function(one.Body, header, one.Secret))
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

interface Case {
  readonly name: string;
  readonly body: Buffer;
  readonly headers: Headers;
  readonly wanted: boolean;
}

const accepted = (name: string, headers: Headers): Case => ({ name, body, headers, wanted: true });
const refused = (name: string, headers: Headers, arrived = body): Case => ({
  name,
  body: arrived,
  headers,
  wanted: false,
});

/** What arrives with events, and whether a function of either scheme must believe it. */
function casesOfBoth(): Case[] {
  const good = ofEvent([secret]);
  return [
    accepted('an event', good),
    accepted('the older of two secrets', ofEvent([other, secret])),
    accepted('the newer of two secrets', ofEvent([secret, other])),
    accepted('four minutes ago', ofEvent([secret], now() - 240)),
    refused('another secret', ofEvent([other])),
    refused('two other secrets', ofEvent([other, newSigningSecret()])),
    refused('a changed body', good, Buffer.from(body.toString().replace('evt_1', 'evt_2'))),
    refused('an empty body', good, Buffer.alloc(0)),
    refused('ten minutes ago', ofEvent([secret], now() - 600)),
    refused('in ten minutes', ofEvent([secret], now() + 600)),
    refused('no headers', {}),
  ];
}

function casesOfStandard(): Case[] {
  const good = ofEvent([secret]);
  const { 'webhook-signature': signature = '' } = good;
  return [
    ...casesOfBoth(),
    accepted('rows of a webhook destination', signatureHeaders([secret], 'delivery', now(), body)),
    accepted('without the other scheme', without(good, 'service-signature')),
    refused('another id', { ...good, 'webhook-id': 'evt_2' }),
    refused('another time', { ...good, 'webhook-timestamp': String(now() - 1) }),
    refused('no id', without(good, 'webhook-id')),
    refused('no time', without(good, 'webhook-timestamp')),
    refused('a time that is none', { ...good, 'webhook-timestamp': 'now' }),
    refused('no signature', without(good, 'webhook-signature')),
    refused('an empty signature', { ...good, 'webhook-signature': '' }),
    refused('the beginning of a signature', { ...good, 'webhook-signature': signature.slice(0, 20) }),
    refused('another version', { ...good, 'webhook-signature': signature.replace('v1,', 'v2,') }),
    refused('a signature not of ASCII', { ...good, 'webhook-signature': `v1,${'é'.repeat(44)}` }),
  ];
}

function casesOfOurs(): Case[] {
  const good = ofEvent([secret]);
  const { 'service-signature': header = '' } = good;
  const [time = '', signature = ''] = header.split(',');
  const under = (changed: string): Headers => ({ ...good, 'service-signature': changed });
  return [
    ...casesOfBoth(),
    accepted(
      'without Standard Webhooks',
      without(without(without(good, 'webhook-id'), 'webhook-timestamp'), 'webhook-signature'),
    ),
    refused('another time', under(`t=${now() - 1},${signature}`)),
    refused('no time', under(signature)),
    refused('a time that is none', under(`t=now,${signature}`)),
    refused('no signature', under(time)),
    refused('no header', without(good, 'service-signature')),
    refused('an empty header', under('')),
    refused('the beginning of a signature', under(header.slice(0, 40))),
    refused('another version', under(header.replace('v1=', 'v0='))),
    refused('a signature not of ASCII', under(`${time},v1=${'é'.repeat(64)}`)),
  ];
}

/** The blocks of code below a heading. */
function blocks(heading: string): string[] {
  return [...section(page, heading).matchAll(/```\w+\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

describe('the receivers of docs/receiving-events.md believe what we sign and nothing else', () => {
  for (const { heading, command, probe, files, start } of RUNTIMES) {
    const missing = spawnSync(command, [...probe]).status !== 0;
    test(`in ${heading}`, { skip: missing ? `${command} is not installed` : false }, async (context) => {
      const folder = await mkdtemp(join(tmpdir(), 'tributary-receiver-'));
      context.after(() => rm(folder, { recursive: true, force: true }));
      const [standard = assert.fail(heading), ours = assert.fail(heading), ...more] = blocks(heading);
      assert.deepEqual(more, []);
      const asked = [
        ...casesOfStandard().map((one) => ({ ...one, ours: false })),
        ...casesOfOurs().map((one) => ({ ...one, ours: true })),
      ];
      const given = asked.map((one) => ({ ...one, body: one.body.toString('base64'), secret }));
      await writeFile(join(folder, 'cases.json'), JSON.stringify(given));
      for (const [name, text] of Object.entries(files(standard, ours)))
        await writeFile(join(folder, name), text);
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod' };
      const { stdout, stderr } = await run(command, [...start], { cwd: folder, env });
      assert.equal(stderr, '');
      const verdicts: unknown = JSON.parse(stdout);
      assert.ok(Array.isArray(verdicts));
      assert.deepEqual(
        verdicts.map((verdict: unknown, at) => [asked[at]?.name, asked[at]?.ours, verdict]),
        asked.map(({ name, ours, wanted }) => [name, ours, wanted]),
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

test('docs/receiving-events.md has the numbers by which events and rows are sent', () => {
  const hours = EVENT_RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  const seconds = DEFAULT_LIMITS.event_deadline_ms / 1000;
  const days = DEFAULT_LIMITS.event_days;
  for (const text of [
    `For ${SECRET_OVERLAP_MS / 3_600_000} hours after a rotation`,
    `waits ${seconds} seconds`,
    `any 2xx within ${seconds} seconds | any 2xx within ${WEBHOOK_HEADERS_MS / 1000} seconds`,
    `[${EVENT_RETRY_DELAYS_MS.length + 1} attempts](events.md#deliveries) in about ${Math.round(hours)} hours`,
    `[${WEBHOOK_DELAYS_MS.length + 1} attempts](webhooks.md#responses-and-retries)`,
    `\`Retry-After\`, up to ${LONGEST_RETRY_AFTER_MS / 3_600_000} hours | \`Retry-After\`, up to ${RETRY_BUDGET_MS / 1000} seconds`,
    `after ${DISABLED_AFTER_MS / 86_400_000} days of failures`,
    `after ${FAILED_RUNS_TO_DISABLE} failed runs in a row`,
    `redeliver](events.md#redelivery) them for ${days} days`,
  ])
    assert.ok(page.includes(text), text);
});
