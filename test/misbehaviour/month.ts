import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom, seedOf } from '../../sandbox/shared/random.ts';
import type { RowId } from '../../src/vocabulary/ids.ts';
import { addDays, type LocalDate } from '../../src/vocabulary/moments.ts';
import type { Transaction } from '../../src/vocabulary/transactions.ts';
import type { SuiteMember, SuiteScene } from '../connectors/destinations/suite/suite-scene.ts';
import { EPOCH, pending, posted } from '../features/sync-engine/support/bank.ts';
import { problemsOf, verified } from '../features/sync-engine/support/verification.ts';

const HOUR = 3_600_000;
/** A month; fewer days where tests are to be short. */
const DAYS = process.env.MONTH_SEEDS === undefined ? 8 : 30;
/** The day on which the month begins, counted from EPOCH: that of the test. */
const TODAY = 50;
const ACCOUNTS = 3;
/** Rows that an account gets in a day: 3 accounts have 1,000 after the month. */
const ROWS_A_DAY = 11;
/** Rows before the month that stay as they are, so that the bank shows a past that is longer than what changes. */
const PAST_ROWS = 25;
/** Days until everything that the bank took back is removed. */
const SETTLING_DAYS = 9;

/** What one account of the bank shows, and what it may do to that. */
class Account {
  readonly #random: Random;
  readonly #name: string;
  #rows: Transaction[];
  #pending: Transaction[] = [];
  #withdrawn: Transaction[] = [];
  #made = 0;
  #session = 0;

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
    this.#rows = Array.from({ length: PAST_ROWS }, (_, at) => this.#row(at));
  }

  /** What it shows when it is asked properly. */
  get shown(): readonly Transaction[] {
    return [...this.#pending, ...this.#rows].toSorted((a, b) =>
      day(a) < day(b) ? 1 : day(a) > day(b) ? -1 : 0,
    );
  }

  /** One answer of a bank that misbehaves: rows are missing, repeated or all gone. */
  answer(): readonly Transaction[] {
    const { shown } = this;
    const kind = this.#pick(12);
    if (kind === 0) return [];
    if (kind === 1) return shown.filter(() => this.#pick(20) > 0);
    if (kind === 2) return shown.flatMap((row) => (this.#pick(10) === 0 ? [row, row] : [row]));
    return shown;
  }

  /** A day passes. */
  live(today: number): void {
    for (let at = 0; at < ROWS_A_DAY; at++) this.#rows.push(this.#row(today));
    this.#settle(today);
    this.#pending.push(this.#waiting(today));
    const what = this.#pick(10);
    if (what === 0) this.#reissue(() => true);
    if (what === 1) this.#reissue(() => this.#pick(20) === 0);
    if (what === 2) this.#rows.push(this.#row(Math.max(TODAY - 10, today - this.#pick(25))));
    if (what === 3) this.#change((row) => ({ ...row, description: `${row.description} corrected` }));
    if (what === 4) this.#change((row) => moved(row, 1));
    if (what === 5) this.#withdraw();
    if (what === 6) this.#rows.push(...this.#withdrawn.splice(0, 1));
    if (what === 7) this.#double();
    if (what === 8) this.#change((row) => ({ ...row, provider_category: 'TRAVEL' }));
    if (what === 9) this.#reissue((row) => day(row) > addDays(EPOCH, today - 3));
  }

  /** Pending rows post under other ids, some on another day or with another amount, and some are never seen again. */
  #settle(today: number): void {
    this.#pending = this.#pending.filter((waiting) => {
      const what = this.#pick(4);
      if (what === 0) return true;
      if (what === 1) return false;
      const tip = what === 2 ? 0 : -50;
      const row = this.#row(today, waiting.amount.amount + tip);
      this.#rows.push({ ...row, description: waiting.description.replace('waiting', 'posted') });
      return false;
    });
  }

  #reissue(which: (row: Transaction) => boolean): void {
    this.#session += 1;
    this.#rows = this.#rows.map((row) =>
      which(row) ? { ...row, id: `${row.id.split('.')[0]}.${this.#session}` } : row,
    );
  }

  #change(how: (row: Transaction) => Transaction): void {
    const at = PAST_ROWS + this.#pick(this.#rows.length - PAST_ROWS);
    this.#rows = this.#rows.map((row, index) => (index === at ? how(row) : row));
  }

  #withdraw(): void {
    const at = PAST_ROWS + this.#pick(this.#rows.length - PAST_ROWS);
    this.#withdrawn.push(...this.#rows.splice(at, 1));
  }

  /** A number from 0, below `count`. */
  #pick(count: number): number {
    return this.#random.int(0, count - 1);
  }

  /** A second purchase that differs in nothing but its id. */
  #double(): void {
    const row = this.#rows[PAST_ROWS + this.#pick(this.#rows.length - PAST_ROWS)];
    if (row !== undefined) this.#rows.push({ ...row, id: `${row.id.split('.')[0]}twin${this.#made++}` });
  }

  /** Ids are those of the other accounts as well, as in a joint account that both holders linked. */
  #row(today: number, cents?: number): Transaction {
    const number = this.#made++;
    const row = posted(number, { day: today, cents: cents ?? -(100 + this.#pick(20_000)) });
    return { ...row, description: `${this.#name} ${number}` };
  }

  #waiting(today: number): Transaction {
    const number = this.#made++;
    const row = pending(number, { day: today, cents: -(100 + this.#pick(20_000)) });
    return { ...row, description: `${this.#name} ${number} waiting` };
  }
}

const day = (row: Transaction): LocalDate => row.date ?? EPOCH;

function moved(row: Transaction, days: number): Transaction {
  const date = addDays(day(row), days);
  return {
    ...row,
    date,
    post_date: date,
    datetime: `${date}T10:00:00+10:00`,
    post_datetime: `${date}T20:00:00+10:00`,
  };
}

/** An owner with a sync of three accounts, and their bank. */
class Household {
  readonly scene: SuiteScene;
  readonly #accounts: ReadonlyMap<RowId<'account'>, Account>;

  constructor(scene: SuiteScene, random: Random) {
    this.scene = scene;
    const names = Array.from({ length: ACCOUNTS }, (_, at) => `Account ${at}`);
    this.#accounts = new Map(names.map((name) => [scene.world.account(), new Account(random, name)]));
  }

  get accounts(): readonly RowId<'account'>[] {
    return [...this.#accounts.keys()];
  }

  list(how: (account: Account) => readonly Transaction[]): void {
    for (const [id, account] of this.#accounts) this.scene.world.bank.accounts.set(id, [...how(account)]);
  }

  live(today: number): void {
    for (const account of this.#accounts.values()) account.live(today);
  }

  expected(): readonly string[] {
    return [...this.#accounts.values()]
      .flatMap(({ shown }) => shown.map((row) => `${row.description} ${row.amount_decimal} ${row.status}`))
      .toSorted();
  }
}

/**
 * For a month, a bank mixes what banks do at random, for two owners. Once it behaves, each destination shows exactly what
 * the bank shows, verification finds no problem, and no run failed.
 */
export function describeMonth(member: SuiteMember, seeds: readonly number[]): void {
  for (const seed of seeds)
    test(`after a month at a bank that misbehaves, ${member.name} shows what the bank shows (seed ${seed})`, async () => {
      const random = seededRandom(seedOf('month', seed));
      await using first = await member.open();
      await using second = await member.open();
      const households = [new Household(first, random), new Household(second, random)];
      const syncs = new Map<Household, Awaited<ReturnType<SuiteScene['sync']>>>();
      const run = async (household: Household, about: string): Promise<void> => {
        const { world } = household.scene;
        world.clock.advance(12 * HOUR);
        const sync =
          syncs.get(household) ??
          (await household.scene.sync([...household.accounts], { options: { include_pending: true } }));
        syncs.set(household, sync);
        const { status, failure } = await world.run(sync);
        assert.deepEqual([status, failure], ['succeeded', null], about);
      };
      for (const { scene } of households) scene.world.bank.linkedAt = scene.world.clock.now();
      for (let today = 1; today <= DAYS; today++)
        for (const household of households) {
          household.live(TODAY + today - 1);
          for (const half of ['morning', 'evening']) {
            household.list((account) => account.answer());
            await run(household, `${half} of day ${today}`);
          }
        }
      for (const household of households) {
        household.list((account) => account.shown);
        for (let turn = 0; turn < SETTLING_DAYS * 2; turn++) await run(household, `settling, ${turn}`);
        const { scene } = household;
        const shown = scene.rows().map((row) => {
          const { text, amount, status } = member.shown(row);
          return `${text} ${amount} ${status}`;
        });
        assert.deepEqual(shown.toSorted(), household.expected());
        scene.world.clock.advance(60_000);
        const said = await verified(scene.world, syncs.get(household) ?? assert.fail());
        assert.deepEqual(problemsOf(said), []);
      }
    });
}
