import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Offering } from '../../../src/connectors/providers/capability-members.ts';
import type {
  LinkFailureReason,
  ProviderAccess,
  ProviderAccount,
  TransactionQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import { type LocalDate, localDate } from '../../../src/vocabulary/moments.ts';
import { decimalFromMoney, moneyFromDecimal } from '../../../src/vocabulary/money.ts';
import { PROVIDERS, parseProviderRowId } from '../../../src/vocabulary/provider-kinds.ts';
import { directionOf, type Transaction } from '../../../src/vocabulary/transactions.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../src/vocabulary/upstream-failures.ts';

/** What goes wrong at the vendor, for the next request to the route family. */
export type VendorFault =
  | 'outage'
  | 'rate-limit'
  | 'reset'
  | 'malformed'
  | 'hang'
  | 'foreign-row'
  | 'row-without-id';
export type VendorRoute = 'accounts' | 'balances' | 'transactions';

/** What this suite asks of a bank's adapter. */
export type BankAdapter = Offering<'institutions' | 'consents' | 'balance' | 'transactions'>;

/** A provider adapter with the vendor it talks to. The suite knows nothing else about either. */
export interface ProviderHarness {
  readonly provider: BankAdapter;
  /** A person with ordinary accounts and rows, pending ones among them. */
  readonly person: string;
  /** Whether several people can link at once: not with credentials of one person. Left out where they can. */
  readonly onePerson?: boolean;
  /** Whether a person can refuse on the vendor's pages, and a consent be ended there by us. Left out where they can. */
  readonly noPages?: boolean;
  /** Whether institutions are known only from what a person links. Left out where they are listed. */
  readonly institutionsUnlisted?: boolean;
  /** Whether rows are sent inside their account and name none. Left out where they do. */
  readonly rowsInAccount?: boolean;
  /**
   * Whether the vendor's rows name no account and may have no id, so that neither shows that an answer is wrong. Left out
   * where they do.
   */
  readonly unnamedRows?: boolean;
  /** Goes through the vendor's pages as that person. */
  link(person: string, outcome?: 'approve' | 'deny' | 'cancel'): Promise<ProviderAccess | string>;
  fault(route: VendorRoute, fault: VendorFault, count: number): void;
  clearFaults(): void;
  revoke(grant: ProviderAccess): void;
  /** Removes an account at the bank. */
  close(account: string): void;
  rowsAtBank(account: string): { readonly posted: number; readonly pending: number };
  readonly from: LocalDate;
  readonly to: LocalDate;
  /** What a person who cancels is told, where the vendor does not tell it from a refusal. */
  readonly cancelled?: LinkFailureReason;
  /** How many days behind its record a row may be dated, where the vendor filters by the row's date alone. */
  readonly lateDays?: number;
  shut(): Promise<void>;
}

const never = new AbortController().signal;

/** What every provider adapter promises to the gateway. */
export function describeProvider(name: string, open: () => Promise<ProviderHarness>): void {
  describe(`provider ${name}`, () => {
    let bank: ProviderHarness;
    let grant: ProviderAccess;
    let accounts: ProviderAccount[];

    before(async () => {
      bank = await open();
      grant = await linked(bank, bank.person);
      accounts = await bank.provider.listAccounts(grant, never);
    });
    after(() => bank.shut());

    const query = (account: ProviderAccount, more: Partial<TransactionQuery> = {}): TransactionQuery => ({
      account: account.id,
      timezone: PROVIDERS[bank.provider.identifier].timezone,
      currency: account.currency,
      from: bank.from,
      to: bank.to,
      since: null,
      includePending: true,
      ...more,
    });
    const rowsOf = async (
      account: ProviderAccount,
      more: Partial<TransactionQuery> = {},
    ): Promise<Transaction[]> => {
      const rows: Transaction[] = [];
      for await (const page of bank.provider.transactionPages(grant, query(account, more), never))
        rows.push(...page);
      return rows;
    };
    const first = (): ProviderAccount => {
      const [account] = accounts;
      assert.ok(account);
      return account;
    };

    it('lists institutions a person can recognise and link', async () => {
      const institutions = await bank.provider.listInstitutions(never);
      assert.ok(institutions.length > 0);
      if (bank.institutionsUnlisted !== true)
        assert.ok(institutions.some(({ id }) => id === grant.institution));
      for (const { id, name, shortName } of institutions)
        assert.ok(id !== '' && name !== '' && shortName !== '');
    });

    it('makes one customer for one key, however often it is asked', async (t) => {
      if (bank.provider.createCustomer === undefined) return t.skip('the vendor has no customers');
      const key = '0190a000-0000-7000-8000-000000000001';
      const made = await bank.provider.createCustomer(key, never);
      assert.deepEqual(await bank.provider.createCustomer(key, never), made);
    });

    it('tells why a link failed', async (t) => {
      if (bank.noPages === true) return t.skip('the vendor has no page to refuse on');
      assert.equal(await bank.link(bank.person, 'deny'), 'consent_denied');
      assert.equal(await bank.link(bank.person, 'cancel'), bank.cancelled ?? 'cancelled');
    });

    it('lists every account with its number masked and its currency named', () => {
      assert.ok(accounts.length > 0);
      assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length);
      for (const account of accounts) {
        assert.match(account.maskedNumber ?? 'xxxx0000', /^xxxx\d{1,4}$/);
        assert.match(account.currency, /^[a-z]{3}$/);
      }
    });

    it('reads a balance to the cent', async () => {
      for (const account of accounts) {
        const balance = await bank.provider.readBalance(grant, account.id, { live: false }, never);
        assert.ok(balance.current !== null && balance.currentDecimal !== null);
        assert.deepEqual(moneyFromDecimal(balance.currentDecimal, account.currency), balance.current);
      }
    });

    it('returns every row of an account exactly once', async () => {
      for (const account of accounts) {
        const rows = await rowsOf(account);
        const expected = bank.rowsAtBank(account.id);
        assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'an id came twice');
        assert.equal(rows.filter(({ status }) => status === 'posted').length, expected.posted);
        assert.equal(rows.filter(({ status }) => status === 'pending').length, expected.pending);
      }
    });

    it('gives no row of one account the id of a row of another', async () => {
      const ids: string[] = [];
      for (const account of accounts) ids.push(...(await rowsOf(account)).map(({ id }) => id));
      assert.equal(new Set(ids).size, ids.length);
    });

    it('leaves pending rows out unless they are wanted', async () => {
      for (const account of accounts) {
        const rows = await rowsOf(account, { includePending: false });
        assert.equal(rows.length, bank.rowsAtBank(account.id).posted);
      }
    });

    it('returns the same rows when asked again', async () => {
      assert.deepEqual(await rowsOf(first()), await rowsOf(first()));
    });

    it('returns rows whose direction, sign, decimals and ids agree', async () => {
      for (const account of accounts) {
        for (const row of await rowsOf(account)) {
          assert.equal(row.direction, directionOf(row.amount.amount));
          assert.deepEqual(moneyFromDecimal(row.amount_decimal, row.amount.currency), row.amount);
          assert.equal(Number(row.amount_decimal), Number(decimalFromMoney(row.amount)));
          assert.equal(parseProviderRowId('transaction', row.id)?.provider, bank.provider.identifier);
          if (row.status === 'posted') assert.ok(row.date !== null);
        }
      }
    });

    it('bounds rows by when they were recorded, not by their own day, when asked since a moment', async () => {
      const all = await rowsOf(first(), { includePending: false });
      // Where banks say only the day, it begins at midnight UTC.
      const recorded = (row: Transaction | undefined): string =>
        row?.post_datetime ?? row?.datetime ?? row?.post_date ?? '';
      const middle = recorded(all[Math.floor(all.length / 2)]);
      const since = Date.parse(middle);
      const rows = await rowsOf(first(), { includePending: false, since });
      const late = (bank.lateDays ?? 0) * 86_400_000;
      const expected = all.filter((row) => Date.parse(recorded(row)) >= since - late);
      assert.deepEqual(rows, expected);
      assert.ok(rows.length > 0 && rows.length < all.length);
    });

    it('reports a missing account as gone, on every read', async () => {
      const missing = { ...first(), id: 'no-such-account' };
      await fails(bank.provider.readBalance(grant, missing.id, { live: false }, never), 'account_gone');
      if (bank.provider.readDetails !== undefined)
        await fails(bank.provider.readDetails(grant, missing.id, never), 'account_gone');
      await fails(rowsOf(missing), 'account_gone');
    });

    it('asks again after a failure that may pass, and then gives up', async () => {
      for (const [fault, situation] of [
        ['outage', 'server_error'],
        ['reset', 'connect'],
      ] as const) {
        bank.fault('balances', fault, 1);
        await bank.provider.readBalance(grant, first().id, { live: false }, never);
        bank.fault('balances', fault, 2);
        await fails(bank.provider.readBalance(grant, first().id, { live: false }, never), situation);
        bank.clearFaults();
      }
    });

    it('passes on how long to wait, and does not ask again at once, when rate limited', async () => {
      bank.fault('transactions', 'rate-limit', 1);
      const failure = await fails(rowsOf(first()), 'rate_limited');
      assert.equal(failure.retryAfterSeconds, 7);
      bank.clearFaults();
    });

    it('refuses an answer that cannot be trusted', async () => {
      const inRows = bank.unnamedRows === true ? [] : (['foreign-row', 'row-without-id'] as const);
      for (const fault of ['malformed', ...inRows] as const) {
        if (fault === 'foreign-row' && bank.rowsInAccount === true) continue;
        bank.fault('transactions', fault, 2);
        await fails(rowsOf(first()), 'malformed');
        bank.clearFaults();
      }
    });

    it('stops waiting when the caller goes away', async () => {
      bank.fault('balances', 'hang', 1);
      const caller = new AbortController();
      const reason = new Error('the caller left');
      const read = bank.provider.readBalance(grant, first().id, { live: false }, caller.signal);
      setTimeout(() => caller.abort(reason), 20);
      await assert.rejects(read, (error) => error === reason);
      bank.clearFaults();
    });

    it('shows one person nothing of another', async (t) => {
      if (bank.onePerson === true) return t.skip('the credentials are those of one person');
      const other = await linked(bank, bank.person);
      assert.notEqual(other.customer, grant.customer);
      const mixed = { ...grant, customer: other.customer, secret: other.secret };
      await fails(bank.provider.readBalance(mixed, first().id, { live: false }, never), 'grant_rejected');
    });

    it('reports a closed account as gone', async () => {
      const last = accounts.at(-1);
      assert.ok(last);
      bank.close(last.id);
      await fails(bank.provider.readBalance(grant, last.id, { live: false }, never), 'account_gone');
      await fails(
        rowsOf(last, { from: localDate('2001-01-01'), to: localDate('2001-01-02') }),
        'account_gone',
      );
    });

    it('reports a consent the person withdrew at the bank as rejected, on every read', async () => {
      const other = await linked(bank, bank.person);
      const [account] = await bank.provider.listAccounts(other, never);
      assert.ok(account);
      bank.revoke(other);
      assert.equal((await bank.provider.readConsent(other, never)).state, 'ended');
      await fails(bank.provider.listAccounts(other, never), 'grant_rejected');
      for (const live of [false, true]) {
        await fails(bank.provider.readBalance(other, account.id, { live }, never), 'grant_rejected');
      }
      if (bank.provider.readDetails !== undefined)
        await fails(bank.provider.readDetails(other, account.id, never), 'grant_rejected');
      const pages = bank.provider.transactionPages(other, query(account), never)[Symbol.asyncIterator]();
      await fails(pages.next(), 'grant_rejected');
    });

    it('withdraws a consent permanently, and again without an error', async (t) => {
      if (bank.noPages === true) return t.skip('the person alone ends it, and not through us');
      const other = await linked(bank, bank.person);
      assert.equal((await bank.provider.readConsent(other, never)).state, 'active');
      await bank.provider.withdraw(other, never);
      assert.equal((await bank.provider.readConsent(other, never)).state, 'ended');
      await bank.provider.withdraw(other, never);
    });
  });
}

async function linked(bank: ProviderHarness, person: string): Promise<ProviderAccess> {
  const grant = await bank.link(person);
  if (typeof grant === 'string') throw new Error(`the link failed: ${grant}`);
  return grant;
}

/** The failure a promise ends in, of that situation. */
export async function fails(work: Promise<unknown>, situation: UpstreamSituation): Promise<UpstreamFailure> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    assert.equal(error.situation, situation, error.message);
    return error;
  }
  throw new assert.AssertionError({ message: `expected the failure ${situation}` });
}
