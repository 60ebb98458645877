import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SimulatedClock } from '../../src/platform/clock.ts';
import type { LogLevel } from '../../src/platform/config-variables.ts';
import { createLog, loggable } from '../../src/platform/log.ts';

function capture(level: LogLevel = 'debug') {
  const lines: string[] = [];
  const clock = new SimulatedClock(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  return {
    lines,
    log: createLog({ level, clock, destination: { write: (line: string) => void lines.push(line) } }),
  };
}

test('a line is one JSON object with level, time, message and fields', () => {
  const { lines, log } = capture();
  log
    .with({ request_id: 'req_1' })
    .warn('slow answer', { operation: 'listAccounts', duration_ms: 123456, ok: false });
  assert.deepEqual(JSON.parse(lines[0] ?? ''), {
    level: 'warn',
    time: '2026-01-02T03:04:05.006Z',
    request_id: 'req_1',
    operation: 'listAccounts',
    duration_ms: 123456,
    ok: false,
    message: 'slow answer',
  });
  assert.ok(lines[0]?.endsWith('}\n'));
});

test('levels below the configured one are not written', () => {
  const { lines, log } = capture('error');
  for (const write of [log.debug, log.info, log.warn]) write('no');
  log.error('yes');
  assert.equal(lines.length, 1);
});

test('a marker never reaches a line through a field that names a secret or data, or through an object', () => {
  const names = [
    'secret',
    'client_secret',
    'accessToken',
    'Authorization',
    'cookie',
    'password',
    'signature',
    'body',
    'payload',
  ];
  const nested = {
    harmless: { deep: 'MARKER' },
    rows: ['MARKER'],
    list: [{ a: 'MARKER' }],
    fn: () => 'MARKER',
  };
  const fields = Object.fromEntries(
    [...names, 'headers', 'query', 'description', 'amount', 'email'].map((name) => [name, 'MARKER']),
  );
  assert.ok(!JSON.stringify(loggable({ ...fields, ...nested })).includes('MARKER'));
  const { lines, log } = capture();
  log.info('call', {
    ...fields,
    url: '/v2/transactions?q=MARKER#MARKER',
    target_url: 'https://a:MARKER@b/c?MARKER',
  });
  log.with(fields).info('call');
  assert.ok(!lines.join('').includes('MARKER'), lines.join(''));
});

test('ids stay whole, whatever digits they hold; an id that is only digits does not', () => {
  const id = '0190b0a0-1234-7abc-8def-0123456789ab';
  assert.deepEqual(
    loggable({ request_id: id, id, account_id: '1234567890', sync_ids: ['sync_1', 'x y 12345678'] }),
    {
      request_id: id,
      id,
      account_id: '[removed]',
      sync_ids: ['sync_1', 'x y [removed]'],
    },
  );
});

test('errors show type, code, scrubbed message, frames and causes, and nothing else they carry', () => {
  const { lines, log } = capture();
  const cause = Object.assign(new Error('row 12345678 MARKER=1\n    at hidden'), {
    code: 'ECONNRESET',
    body: 'MARKER',
  });
  const error = Object.assign(new TypeError('account 062-000 12345678 failed', { cause }), {
    response: { data: 'MARKER' },
  });
  log.error('run failed', { run_id: 'run_1' }, error);
  log.error('odd', {}, 'thrown text 12345678');
  const shown = JSON.parse(lines[0] ?? '').error;
  assert.equal(shown.type, 'TypeError');
  assert.equal(shown.message, 'account [removed] failed');
  assert.match(shown.stack[0], /log\.test\.ts/);
  assert.equal(shown.cause.code, 'ECONNRESET');
  assert.ok(!lines.join('').includes('"MARKER"'));
  assert.ok(!lines.join('').includes('12345678'));
});

test('whatever is logged, each line is JSON and no six digits of text get through', () => {
  const { lines, log } = capture();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.dictionary(fc.string(), fc.string()), (message, fields) => {
      lines.length = 0;
      log.info(`${message} 123456789 %s %o`, { ...fields, note: '987654321' });
      assert.equal(lines.length, 1);
      const line = lines[0] ?? '';
      assert.equal(typeof JSON.parse(line).message, 'string');
      assert.ok(!line.includes('123456') && !line.includes('987654'));
    }),
  );
});
