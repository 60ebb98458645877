import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JoinedReads, MOST_LINGERING } from '../../src/platform/joined-reads.ts';
import { rowId } from '../../src/vocabulary/ids.ts';

describe('Reads that many join', () => {
  const [greedy, other] = [
    rowId('account_record', '0190a000-0000-7000-8000-000000000002'),
    rowId('account_record', '0190a000-0000-7000-8000-000000000003'),
  ];

  /** Reads that end only when they are aborted; all callers have left them. */
  async function left(reads: JoinedReads<null>, owner: typeof greedy, count: number) {
    let aborted = 0;
    for (let at = 0; at < count; at += 1) {
      const leaving = new AbortController();
      const read = (signal: AbortSignal) =>
        new Promise<null>((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted += 1;
            reject(signal.reason);
          }),
        );
      const asked = reads.run(`${owner} ${at}`, leaving.signal, read, owner);
      await new Promise(setImmediate);
      leaving.abort();
      await assert.rejects(asked);
    }
    return aborted;
  }

  it('go on for so many of one account record at a time, and a greedy one takes none of another', async () => {
    const reads = new JoinedReads<null>();
    assert.equal(await left(reads, greedy, MOST_LINGERING + 5), 5);
    assert.equal(await left(reads, other, MOST_LINGERING), 0);
    assert.equal(reads.size, 2 * MOST_LINGERING);
  });
});
