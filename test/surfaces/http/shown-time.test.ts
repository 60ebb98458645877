import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { momentText, shownDay, shownMoment } from '../../../src/surfaces/http/shown-time.ts';

const at = (text: string): Date => new Date(text);

describe('a time on a page', () => {
  test('is shown in the zone, and carries the instant exactly', () => {
    const evening = at('2026-11-24T14:05:06.789Z');
    assert.equal(
      shownDay(evening, 'Australia/Sydney').text,
      '<time datetime="2026-11-24T14:05:06.789Z">25 November 2026</time>',
    );
    assert.equal(
      shownMoment(evening, 'Australia/Sydney').text,
      '<time datetime="2026-11-24T14:05:06.789Z">25 November 2026 at 1:05 am AEDT</time>',
    );
    assert.match(shownDay(evening, 'America/New_York').text, />24 November 2026</);
    assert.equal(momentText(evening, 'America/New_York'), '24 November 2026 at 9:05 am GMT-5');
  });

  test('names the offset of its own day on both sides of a switch of the clocks', () => {
    for (const [instant, text] of [
      ['2026-10-03T15:59:00Z', '4 October 2026 at 1:59 am AEST'],
      ['2026-10-03T16:00:00Z', '4 October 2026 at 3:00 am AEDT'],
      ['2026-04-04T15:30:00Z', '5 April 2026 at 2:30 am AEDT'],
      ['2026-04-04T16:30:00Z', '5 April 2026 at 2:30 am AEST'],
    ] as const) {
      assert.equal(momentText(at(instant), 'Australia/Sydney'), text);
    }
    assert.equal(momentText(at('2026-06-30T12:00:00Z'), 'Pacific/Auckland'), '1 July 2026 at 12:00 am NZST');
  });

  test('is in UTC and says so where the zone is none that the runtime knows', () => {
    const evening = at('2026-11-24T14:05:00Z');
    for (const zone of ['Mars/Olympus', '']) {
      assert.match(shownDay(evening, zone).text, />24 November 2026 \(UTC\)</);
      assert.match(shownMoment(evening, zone).text, />24 November 2026 at 2:05 pm UTC</);
    }
  });
});
