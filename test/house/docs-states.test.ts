import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as states from '../../src/vocabulary/states.ts';
import { cell, headingsOf, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/states.md');

const TABLES: Readonly<Record<string, readonly [readonly string[], readonly states.Move<string>[]]>> = {
  'API key': [states.API_KEY_STATUSES, states.API_KEY_MOVES],
  Document: [states.DOCUMENT_STATUSES, states.DOCUMENT_MOVES],
  'SimpleFIN setup token': [states.SIMPLEFIN_SETUP_TOKEN_STATUSES, states.SIMPLEFIN_SETUP_TOKEN_MOVES],
  'SimpleFIN app': [states.SIMPLEFIN_APP_STATUSES, states.SIMPLEFIN_APP_MOVES],
  Invitation: [states.INVITATION_STATUSES, states.INVITATION_MOVES],
  'One-time link': [states.ONE_TIME_LINK_STATUSES, states.ONE_TIME_LINK_MOVES],
  'Connected app': [states.CONNECTED_APP_STATUSES, states.CONNECTED_APP_MOVES],
  'Link session': [states.LINK_SESSION_STATUSES, states.LINK_SESSION_MOVES],
  Connection: [states.CONNECTION_STATUSES, states.CONNECTION_MOVES],
  Consent: [states.CONSENT_STATUSES, states.CONSENT_MOVES],
  Account: [states.ACCOUNT_STATUSES, states.ACCOUNT_MOVES],
  Destination: [states.DESTINATION_STATUSES, states.DESTINATION_MOVES],
  'Destination link': [states.DESTINATION_LINK_STATUSES, states.DESTINATION_LINK_MOVES],
  Sync: [states.SYNC_STATUSES, states.SYNC_MOVES],
  'Sync run': [states.SYNC_RUN_STATUSES, states.SYNC_RUN_MOVES],
  'Event destination': [states.EVENT_DESTINATION_STATUSES, states.EVENT_DESTINATION_MOVES],
  'Event delivery': [states.EVENT_DELIVERY_STATUSES, states.EVENT_DELIVERY_MOVES],
  'Account record': [states.ACCOUNT_RECORD_STATUSES, []],
};

const list = (text: string) => text.split(', ').map(plain);

test('docs/states.md has a section for every resource with a status and for nothing else', () => {
  assert.deepEqual(headingsOf(page, 2), Object.keys(TABLES));
  const exported = Object.keys(states).filter(
    (name) => name.endsWith('_STATUSES') && !name.startsWith('FINAL'),
  );
  assert.equal(Object.keys(TABLES).length, exported.length);
});

for (const [title, [statuses, moves]] of Object.entries(TABLES)) {
  test(`${title}: the page lists exactly the states there are`, () => {
    const listed = /^States: ([^.]+)\./m.exec(section(page, title))?.[1] ?? '';
    assert.deepEqual(list(listed), [...statuses]);
  });

  test(`${title}: the page lists exactly the moves there are`, () => {
    const documented = tableRows(page, title).map((row) => ({
      from: list(cell(row, 'From')),
      by: cell(row, 'When'),
      to: plain(cell(row, 'To')),
    }));
    assert.deepEqual(
      documented,
      moves.map((move) => ({ from: [...move.from], by: move.by, to: move.to })),
    );
  });

  test(`${title}: the states called final are those without a way out`, () => {
    if (moves.length === 0) return;
    const documented = /Final: ([^.]+)\./.exec(section(page, title))?.[1];
    const final = statuses.filter((status) => !moves.some((move) => move.from.includes(status)));
    assert.deepEqual(documented === undefined ? [] : list(documented).toSorted(), final.toSorted());
  });
}
