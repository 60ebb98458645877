import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ChunkRow, OutgoingChunk } from '../../../../src/connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../../src/connectors/destinations/destination-contract.ts';
import { newRowId } from '../../../../src/platform/row-id.ts';
import { type RowId, rowId } from '../../../../src/vocabulary/ids.ts';
import type { Transaction } from '../../../../src/vocabulary/transactions.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { openedSync } from '../support/opened-sync.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();

/** One attempt at a run, chunk by chunk. */
class Attempt implements AsyncDisposable {
  readonly opened: Scene;
  readonly #account: RowId<'account'>;
  readonly #writer: DestinationWriter;
  #number = 0;

  private constructor(opened: Scene, account: RowId<'account'>, writer: DestinationWriter) {
    this.opened = opened;
    this.#account = account;
    this.#writer = writer;
  }

  static async begin(): Promise<Attempt> {
    const opened = await Scene.open();
    const account = opened.world.account();
    const grant = opened.world.secrets.grant(opened.destination) ?? assert.fail('no grant');
    const account_mappings = [{ account, destination_account: opened.at('Everyday') }];
    const opening = {
      owner: 'owner',
      target: opened.destination.target,
      secrets: [],
      access: { owner: 'owner', current: async () => grant, renew: async () => assert.fail('not renewed') },
      sync: openedSync({ account_mappings }),
      recorded: async () => new Set<string>(),
      accountsWithRows: async () => null,
    };
    return new Attempt(opened, account, await opened.connector.open(opening, signal));
  }

  rowOf(transaction: Transaction, remoteRef: string | null = null): ChunkRow {
    const account = {
      id: this.#account,
      name: 'Account',
      institution: 'Bank',
      type: 'transaction',
      maskedNumber: null,
    } as const;
    const more = { customCategory: null, memo: null, tags: [], replaces: null };
    const text = this.#writer.encode({ kind: 'transaction', account, transaction, ...more }, 1);
    return { id: transaction.id, account: this.#account, text, replaces: null, remoteRef };
  }

  write(rows: Partial<Pick<OutgoingChunk, 'added' | 'updated' | 'removed'>>) {
    this.#number += 1;
    const { clock } = this.opened.world;
    const chunk = {
      eventId: `${this.#number}`,
      run: rowId('sync_run', newRowId(clock)),
      number: this.#number,
      total: null,
      rowForm: 1,
      created: clock.now(),
      again: false,
      added: [],
      updated: [],
      removed: [],
      ...rows,
    };
    return this.#writer.write(chunk, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close();
    await this.opened[Symbol.asyncDispose]();
  }
}

describe('a row that the same attempt created', () => {
  const begun = async () => {
    const attempt = await Attempt.begin();
    const { remoteRefs } = await attempt.write({ added: [attempt.rowOf(posted(1, { day: 49 }))] });
    return { attempt, ref: remoteRefs.get(posted(1).id) ?? assert.fail('it has no id') };
  };
  const corrected = posted(1, { day: 49, cents: -4200, description: 'corrected' });

  test('is changed whole where no one else has touched it', async () => {
    const { attempt, ref } = await begun();
    await using _ = attempt;
    await attempt.write({ updated: [attempt.rowOf(corrected, ref)] });
    const { id, amount } = attempt.opened.one('corrected');
    assert.deepEqual([id, amount, attempt.opened.shown().length], [ref, -4200, 1]);
  });

  test('keeps the notes that a person wrote in the meantime', async () => {
    const { attempt, ref } = await begun();
    await using _ = attempt;
    attempt.opened.world.clock.advance(1_000);
    attempt.opened.edit('row 1', { notes: 'mine' });
    attempt.opened.world.clock.advance(1_000);
    await attempt.write({ updated: [attempt.rowOf(corrected, ref)] });
    assert.equal(attempt.opened.one('mine').amount, -4200);
  });

  test('is no reason to fall out of step with a person who works in the budget all the time', async () => {
    const { attempt } = await begun();
    await using _ = attempt;
    for (let number = 2; number < 12; number++) {
      attempt.opened.edit(`row ${number - 1}`, { amount: number });
      attempt.opened.world.clock.advance(500);
      await attempt.write({ added: [attempt.rowOf(posted(number, { day: 49 }))] });
    }
    const amounts = attempt.opened.shown().map(({ amount }) => amount);
    assert.deepEqual(amounts.toSorted((a, b) => a - b).slice(1), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await attempt.write({ removed: [{ ...attempt.rowOf(posted(11)), text: null }] });
  });
});
