import type { Json } from '../v2-client.ts';

export interface ImportedRow {
  readonly account: string;
  readonly id: string;
  /** Epoch seconds; null for a pending row. */
  readonly posted: number | null;
  readonly amount: string;
  readonly description: string;
}

export interface ImportedAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly balance: string;
}

const CHUNK_DAYS = 44;
const DAY = 86_400;

/**
 * A client of the kind that an importer has: it holds every answer against the tables of the protocol's text, member by
 * member and type by type, never guesses, and asks for one account at a time in chunks of days.
 */
export class ImportClient {
  readonly #accounts: URL;
  readonly #authorization: string;
  /** How often it asked. */
  requests = 0;

  private constructor(access: URL) {
    this.#authorization = `Basic ${btoa(`${access.username}:${access.password}`)}`;
    access.username = '';
    access.password = '';
    this.#accounts = new URL(`${access.href.replace(/\/$/, '')}/accounts`);
  }

  static async claim(setupToken: string): Promise<ImportClient> {
    must(
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(setupToken),
      'strict Base64',
    );
    const address = atob(setupToken);
    must(/^https?:\/\/.+\/simplefin\/claim\/.+$/.test(address), 'a claim address');
    const answer = await fetch(address, { method: 'POST', redirect: 'error' });
    const text = await answer.text();
    must(answer.status === 200, `the claim is answered ${answer.status}`);
    // Untrimmed: a line break at the end would become a part of every address.
    must(/^https?:\/\/[A-Za-z0-9]{32,}:[A-Za-z0-9]{32,}@[^\s@]+$/.test(text), 'an access URL');
    return new ImportClient(new URL(text));
  }

  async accounts(): Promise<readonly ImportedAccount[]> {
    const set = await this.#ask({ 'balances-only': '1' });
    return set.accounts.map(({ id, name, currency, balance }: Json) => ({ id, name, currency, balance }));
  }

  /** Every row of the account from `from` on and before `until`, epoch seconds. */
  async rows(account: string, from: number, until: number): Promise<readonly ImportedRow[]> {
    const rows = new Map<string, ImportedRow>();
    for (let start = from; start < until; start += CHUNK_DAYS * DAY) {
      const end = Math.min(start + CHUNK_DAYS * DAY, until);
      const set = await this.#ask({
        account,
        'start-date': String(start),
        'end-date': String(end),
      });
      must(set.accounts.length === 1 && set.accounts[0].id === account, 'the account that was asked for');
      for (const row of set.accounts[0].transactions) {
        must(!rows.has(row.id), 'a row of one chunk is in no other');
        must(row.transacted_at >= start && row.transacted_at < end, 'a row lies within its chunk');
        const { id, posted, amount, description } = row;
        rows.set(id, { account, id, posted: posted === 0 ? null : posted, amount, description });
      }
    }
    return [...rows.values()];
  }

  async #ask(query: Record<string, string>): Promise<Json> {
    this.requests += 1;
    const address = new URL(this.#accounts);
    address.search = new URLSearchParams(query).toString();
    const answer = await fetch(address, {
      headers: { authorization: this.#authorization },
      redirect: 'error',
    });
    const text = await answer.text();
    must(answer.status === 200, `it is answered ${answer.status}: ${text.slice(0, 200)}`);
    const set = JSON.parse(text);
    checkAccountSet(set);
    return set;
  }
}

/** Holds an account set against the protocol's version 1, and the members of version 2 that come with it. Raises where it differs. */
export function checkAccountSet(set: Json): void {
  isList(set.errors, 'errors', (error) => isText(error, 'an error'));
  isList(set.errlist, 'errlist', (error) => {
    must(/^(?:gen|con|act)\.[a-z]*$/.test(error.code), 'a code of the protocol');
    isText(error.msg, 'msg');
    must(error.msg === error.message, 'one sentence under both names');
  });
  isList(set.connections, 'connections', (connection) => {
    for (const member of ['conn_id', 'name', 'org_id', 'org_name', 'sfin_url'])
      isText(connection[member], member);
  });
  isList(set.accounts, 'accounts', checkAccount);
  const connections = new Set(set.connections.map(({ conn_id: id }: Json) => id));
  must(
    set.accounts.every(({ conn_id: id }: Json) => connections.has(id)),
    'every account has its connection',
  );
  isUnique(set.accounts, 'name');
  isUnique(set.accounts, 'id');
}

function checkAccount(account: Json): void {
  const { org } = account;
  for (const member of ['domain', 'name', 'id']) isText(org[member], `org.${member}`);
  for (const member of ['sfin-url', 'url']) must(URL.canParse(org[member]), `org.${member} is an address`);
  isText(account.id, 'id');
  isText(account.name, 'name');
  must(/^[A-Z]{3}$/.test(account.currency), 'currency is a code in upper case');
  for (const member of ['balance', 'available-balance']) isAmount(account[member], member);
  isWhole(account['balance-date'], 'balance-date');
  must(Array.isArray(account.holdings) && account.holdings.length === 0, 'holdings is an empty list');
  must(
    account.extra === undefined || (typeof account.extra === 'object' && account.extra !== null),
    'extra is an object',
  );
  isList(account.transactions, 'transactions', checkRow);
  isUnique(account.transactions, 'id');
  const posted: number[] = account.transactions.map((row: Json) => row.posted);
  must(
    posted.every((at, index) => index === 0 || at >= (posted[index - 1] ?? 0)),
    'ordered by posted',
  );
}

function checkRow(row: Json): void {
  isText(row.id, 'id');
  isWhole(row.posted, 'posted');
  isAmount(row.amount, 'amount');
  for (const member of ['description', 'payee', 'memo']) {
    must(typeof row[member] === 'string', `${member} is a text`);
  }
  isWhole(row.transacted_at, 'transacted_at');
  must(row.transacted_at > 0, 'transacted_at names a moment');
  must(row.pending === undefined || row.pending === true, 'pending is true, or not there');
  must((row.posted === 0) === (row.pending === true), 'posted is 0 while pending and only then');
  must(row.mcc === undefined || /^\d{4}$/.test(row.mcc), 'mcc is a category code of merchants');
  must(
    row.extra === undefined || (typeof row.extra === 'object' && row.extra !== null),
    'extra is an object',
  );
  must(!Object.values(row).includes(null), 'nothing is null');
}

function isList(value: unknown, what: string, check: (item: Json) => void): void {
  must(Array.isArray(value), `${what} is a list`);
  if (Array.isArray(value)) for (const item of value) check(item);
}

function isUnique(items: readonly Json[], member: string): void {
  must(new Set(items.map((item) => item[member])).size === items.length, `${member} is unique`);
}

function isText(value: unknown, what: string): void {
  must(typeof value === 'string' && value !== '', `${what} is a text`);
}

function isWhole(value: unknown, what: string): void {
  must(Number.isSafeInteger(value), `${what} is a whole number`);
}

function isAmount(value: unknown, what: string): void {
  must(
    typeof value === 'string' && /^-?(?:0|[1-9]\d*)\.\d\d(?:\d*[1-9])?$/.test(value),
    `${what} has two decimals, or the more that it needs`,
  );
  must(value !== '-0.00', `${what} has no sign where it is nothing`);
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The answer does not follow the protocol: ${what}.`);
}
