import type { ProviderBalance } from '../../connectors/providers/provider-contract.ts';
import type { AccountReading, AccountSet } from '../../features/reads/account-sets.ts';
import type { Account } from '../../storage/accounts.ts';
import type { Connection } from '../../storage/connections.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Money } from '../../vocabulary/money.ts';
import { PROVIDERS, providerRowId } from '../../vocabulary/provider-kinds.ts';
import { bridgeRoot } from './addresses.ts';
import { amountText, writeRows } from './rows.ts';

/** Buffered up to this size before sending: a piece for each small account would cost more than writing it. */
const PIECE = 65_536;
/** Used if no statement of the bank is known. */
const NO_BALANCE = '0.00';

/** The body of an answer that has no accounts, because the request could not be answered. */
export function writeRefusal(sentence: string): string {
  return JSON.stringify({
    errors: [sentence],
    errlist: [bridgeError('gen.api', sentence)],
    connections: [],
    accounts: [],
  });
}

export interface AccountSetOptions {
  readonly publicUrl: string;
  readonly limits: Pick<Limits, 'bridge_accounts' | 'bridge_rows'>;
  /** Whether amounts are rounded to two decimals, for the app that asks. */
  readonly twoDecimals: boolean;
  /** Whether the app that asks is sent no `extra` of accounts and transactions. */
  readonly leaveOutExtra: boolean;
}

/**
 * The account set of the protocol's version 1 with the fields of version 2 beside them, in pieces as accounts are read:
 * what needs attention is known only once all were, so it comes last.
 */
export async function* writeAccountSet(
  { all, cut, readings }: AccountSet,
  { publicUrl, limits, ...form }: AccountSetOptions,
): AsyncGenerator<string> {
  const names = uniqueNames(all);
  const findings = new Findings(publicUrl, limits);
  let text = '{"accounts":[';
  let separator = '';
  for await (const reading of readings) {
    const name = names.get(reading.account.id) ?? reading.account.name;
    findings.note(reading, name);
    text += separator + writeAccount(reading, name, { publicUrl, ...form });
    separator = ',';
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (cut) findings.noteCut();
  yield `${text}],${findings.members()}}`;
}

function writeAccount(
  reading: AccountReading,
  name: string,
  { publicUrl, twoDecimals, leaveOutExtra }: Omit<AccountSetOptions, 'limits'>,
): string {
  const { account, connection, rows } = reading;
  const balance = reading.balance !== null && isUnreadable(reading.balance.value) ? null : reading.balance;
  const sent = (money: Money | null = null, decimal: string | null = null) =>
    money === null ? null : amountText(money, decimal, twoDecimals);
  const available = sent(balance?.value.available, balance?.value.availableDecimal);
  const shown = sent(balance?.value.current, balance?.value.currentDecimal) ?? available ?? NO_BALANCE;
  const members = {
    org: presentOrganisation(connection, publicUrl),
    id: account.id,
    name,
    conn_id: connection.id,
    conn_name: connection.institution_name,
    currency: (balance?.value.currency ?? account.currency).toUpperCase(),
    balance: shown,
    'available-balance': available ?? shown,
    'balance-date': balance === null ? 0 : Math.floor(balance.observedAt / 1000),
    holdings: [],
    ...(!leaveOutExtra && { extra: { tributary_account_id: publicId('account', account.id) } }),
  };
  const { timezone, last_seen_at: seen } = account;
  const observedAt = balance?.observedAt ?? seen.getTime();
  const written = writeRows(rows, { timezone, observedAt, twoDecimals, leaveOutExtra });
  return `${JSON.stringify(members).slice(0, -1)},"transactions":${written}}`;
}

/** Whether nothing of a balance could be read: it is as one that is not known. */
function isUnreadable({ current, available, unreadable }: ProviderBalance): boolean {
  return unreadable !== undefined && current === null && available === null;
}

/** Collected while the accounts are read: their connections, and messages for the person. */
class Findings {
  readonly #publicUrl: string;
  readonly #limits: Pick<Limits, 'bridge_accounts' | 'bridge_rows'>;
  readonly #connections = new Map<RowId<'connection'>, ReturnType<typeof presentBridgeConnection>>();
  readonly #broken = new Set<RowId<'connection'>>();
  readonly #errors = new Set<string>();
  readonly #errlist: BridgeError[] = [];

  constructor(publicUrl: string, limits: Pick<Limits, 'bridge_accounts' | 'bridge_rows'>) {
    this.#publicUrl = publicUrl;
    this.#limits = limits;
  }

  note(reading: AccountReading, name: string): void {
    const { account, connection, failure, truncated, balance, setAside } = reading;
    const { id } = connection;
    const bank = connection.institution_name;
    if (!this.#connections.has(id)) {
      this.#connections.set(id, presentBridgeConnection(connection, this.#publicUrl));
    }
    const about = { conn_id: id, account_id: account.id };
    if (truncated) {
      const sentence = `Only the newest ${this.#limits.bridge_rows} transactions of ${name} were sent; ask for a shorter period.`;
      this.#say(bridgeError('gen.api', sentence, about));
    }
    if (setAside > 0) {
      const these = setAside === 1 ? 'One transaction' : `${setAside} transactions`;
      const sentence = `${these} of ${name} could not be read and will be sent once ${bank} has corrected them.`;
      this.#say(bridgeError('gen.api', sentence, about));
    }
    if (balance !== null && isUnreadable(balance.value)) {
      this.#say(bridgeError('gen.api', `The balance of ${name} could not be read.`, about));
    }
    if (failure === null) return;
    const code = codeOf(failure);
    if (code === 'act.failed') {
      this.#say(bridgeError(code, `${bank} no longer lists the account ${name}.`, about));
    } else if (!this.#broken.has(id)) {
      this.#broken.add(id);
      this.#say(bridgeError(code, needsAttention(bank), { conn_id: id }));
    }
  }

  noteCut(): void {
    const sentence = `Only the oldest ${this.#limits.bridge_accounts} accounts were sent.`;
    this.#say(bridgeError('gen.api', sentence));
  }

  /** As members of the account set, without the braces around it. */
  members(): string {
    const members = {
      errors: [...this.#errors],
      errlist: this.#errlist,
      connections: [...this.#connections.values()],
    };
    return JSON.stringify(members).slice(1, -1);
  }

  #say(error: BridgeError): void {
    this.#errors.add(error.msg);
    this.#errlist.push(error);
  }
}

/** An entry of `errlist`. The protocol's text names its sentence `msg`, its samples `message`: both are sent. */
interface BridgeError {
  readonly code: 'gen.' | 'gen.api' | 'con.' | 'con.auth' | 'act.failed' | 'act.missingdata';
  readonly msg: string;
  readonly message: string;
  readonly conn_id?: string;
  readonly account_id?: string;
}

function bridgeError(
  code: BridgeError['code'],
  sentence: string,
  about: Pick<BridgeError, 'conn_id' | 'account_id'> = {},
): BridgeError {
  return { code, msg: sentence, message: sentence, ...about };
}

/** The sentence that apps look for, letter by letter, to mark the accounts of a bank. */
function needsAttention(bank: string): string {
  return `Connection to ${bank} may need attention`;
}

/** What is at fault where an account cannot be read. A deleted account says nothing about its bank. */
function codeOf(failure: ErrorCode): BridgeError['code'] {
  if (failure === 'upstream_auth_failed') return 'con.auth';
  return failure === 'account_unavailable' ? 'act.failed' : 'con.';
}

/**
 * A name for each account that no other of the owner has (the protocol asks for it): its own, with the end of its
 * number where others are called the same, and a count where that is not enough. The same whichever accounts are asked
 * for.
 */
function uniqueNames(accounts: readonly Account[]): ReadonlyMap<RowId<'account'>, string> {
  const count = new Map<string, number>();
  for (const { name } of accounts) count.set(name, (count.get(name) ?? 0) + 1);
  const names = new Map<RowId<'account'>, string>();
  const taken = new Set(accounts.flatMap(({ name }) => (count.get(name) === 1 ? [name] : [])));
  for (const { id, name, masked_number: number } of accounts) {
    if (count.get(name) === 1) names.set(id, name);
    else names.set(id, free(number === null ? name : `${name} (${number.slice(-4)})`, taken));
  }
  return names;
}

function free(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let at = 2; taken.has(name); at += 1) name = `${wanted} ${at}`;
  taken.add(name);
  return name;
}

const LONGEST_LABEL = 63;

/**
 * A bank as the protocol shows it. No one says which domain a bank has, and apps tell banks apart by theirs, so it is a
 * name below our own host; `url` is the service itself.
 */
export function presentOrganisation(connection: Connection, publicUrl: string) {
  const { provider, institution_id: id, institution_name: name } = connection;
  const { hostname } = new URL(publicUrl);
  const label = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_LABEL);
  return {
    domain: `${label}.${PROVIDERS[provider].tag}.${hostname}`,
    name,
    'sfin-url': bridgeRoot(publicUrl),
    url: publicUrl,
    id: providerRowId('institution', provider, id),
  };
}

/** The connection that version 2 of the protocol lists beside its accounts. */
export function presentBridgeConnection(connection: Connection, publicUrl: string) {
  const { name, id } = presentOrganisation(connection, publicUrl);
  return {
    conn_id: connection.id,
    name,
    org_id: id,
    org_name: name,
    org_url: publicUrl,
    sfin_url: bridgeRoot(publicUrl),
  };
}
