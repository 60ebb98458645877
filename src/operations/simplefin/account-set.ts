import type { ProviderBalance } from '../../connectors/providers/provider-contract.ts';
import type { AccountReading, AccountSet } from '../../features/reads/account-sets.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Money } from '../../vocabulary/money.ts';
import { uniqueNames } from './account-names.ts';
import { type BridgeError, bridgeError, codeOf, needsAttention } from './failures.ts';
import { presentBridgeConnection, presentOrganisation } from './institutions.ts';
import { amountText, writeRows } from './rows.ts';

/** So much is put together before it goes out: a piece for each small account would cost more than writing it. */
const PIECE = 65_536;
/** Where the bank said nothing that is still known. */
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

/** What was found out while the accounts were read: their connections, and what a person should know. */
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
