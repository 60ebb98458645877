import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notificationWords, notifiedRecord } from '../../src/vocabulary/notification-kinds.ts';

test('what a payee wrote is on one line, is cut, and becomes no link in programs that make links of text', () => {
  const said = (description: string): string =>
    notificationWords('large_transaction', {
      account: 'Everyday',
      amount: '-1.50 AUD',
      description,
      more: '',
    }).text;
  assert.equal(said('Café 24.7 No.1'), 'Large transaction on Everyday: -1.50 AUD, Café 24.7 No.1.');
  assert.equal(said('one\r\ntwo\u202Ethree'), 'Large transaction on Everyday: -1.50 AUD, one two three.');
  assert.ok(said('x'.repeat(500)).length < 160);
  for (const link of [
    'https://evil.example/a',
    'http://10.0.0.1/a',
    'www.evil.example',
    'evil.例え',
    'a@evil.example',
  ])
    assert.doesNotMatch(said(link), /\w+:\/\/|[\p{L}\p{N}]\.\p{L}/u, link);
});

test('a notification names its account record so that no link can be made of it, unless it is about a person', () => {
  const name = 'Books https://evil.example';
  assert.equal(notifiedRecord('sync_attention', name), 'Books https:\u200B//evil.\u200Bexample');
  assert.equal(notifiedRecord('large_transaction', 'n'.repeat(200))?.length, 80);
  for (const kind of ['new_device', 'browser_added', 'test'] as const)
    assert.equal(notifiedRecord(kind, name), null, kind);
  for (const none of [null, 'Turned \u202Earound'])
    assert.equal(notifiedRecord('consent_expiring', none), null);
});
