import { useQuery } from '@tanstack/react-query';
import type { Account } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { type ProviderCategory, WITH_TRANSACTIONS } from '../../../../src/vocabulary/provider-kinds.ts';
import type { SyncType } from '../../../../src/vocabulary/syncs.ts';
import { accounts as accountsQuery } from '../../api/accounts.ts';
import { accountNames, bankNamesOf } from '../../format/account-names.ts';
import { accountNumberText } from '../../format/account-number.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Check, Fields } from '../../parts/fields.tsx';
import { Monogram } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { CONNECTIONS } from '../../text/connections.ts';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import classes from './sync-fields.module.css';

const WORDS = SYNC_FIELDS_TEXT.accounts;

interface AccountsFieldProps {
  readonly type: SyncType;
  readonly chosen: readonly string[];
  readonly onChange: (accounts: readonly string[]) => void;
}

/** The accounts a sync reads, by bank. Only those are listed that the type of sync can read. */
export function AccountsField({ type, chosen, onChange }: AccountsFieldProps) {
  const { data, error, refetch } = useQuery(accountsQuery);
  if (data === undefined) {
    return error === null ? <LoadingRows count={4} /> : <Problem error={error} again={refetch} />;
  }
  const categories: readonly ProviderCategory[] = type === 'transactions' ? WITH_TRANSACTIONS : ['brokerage'];
  const fitting = data.filter(
    (account) =>
      categories.includes(account.category) &&
      (account.status === 'available' || chosen.includes(account.id)),
  );
  if (fitting.length === 0) {
    return (
      <Empty
        title={CONNECTIONS.none}
        text={WORDS.none[type]}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={APP_PATHS.newConnection}>{WORDS.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  const banks = bankNamesOf(data);
  const others = data.length - fitting.length;
  const set = (ids: readonly string[], on: boolean) => {
    const rest = chosen.filter((id) => !ids.includes(id));
    onChange(on ? [...rest, ...ids] : rest);
  };
  return (
    <div className={classes.field}>
      {[...byBank(fitting)].map(([connection, accounts]) => (
        <Bank
          key={connection}
          name={banks.get(connection) ?? ''}
          names={accountNames(data)}
          accounts={accounts}
          chosen={chosen}
          onSet={set}
        />
      ))}
      <p className={classes.hint} role="status">
        {WORDS.chosen(chosen.length)}
        {others > 0 ? `. ${WORDS.left(others)}` : ''}
      </p>
    </div>
  );
}

interface BankProps {
  readonly name: string;
  readonly names: ReadonlyMap<string, string>;
  readonly accounts: readonly Account[];
  readonly chosen: readonly string[];
  readonly onSet: (ids: readonly string[], on: boolean) => void;
}

function Bank({ name, names, accounts, chosen, onSet }: BankProps) {
  const ids = accounts.map(({ id }) => id);
  return (
    <div className={classes.group}>
      <div className={classes.groupHead}>
        <Monogram name={name} />
        <span className={classes.groupName}>{name}</span>
      </div>
      <Fields legend={WORDS.legend}>
        {accounts.length === 1 ? null : (
          <Check
            label={WORDS.all}
            checked={ids.every((id) => chosen.includes(id))}
            onChange={(on) => onSet(ids, on)}
          />
        )}
        {accounts.map((account) => (
          <Check
            key={account.id}
            label={names.get(account.id) ?? account.name}
            hint={hintOf(account)}
            checked={chosen.includes(account.id)}
            onChange={(on) => onSet([account.id], on)}
          />
        ))}
      </Fields>
    </div>
  );
}

function hintOf({ type, account_number: number, currency, status, duplicate_of: counted }: Account): string {
  const masked = number === null ? null : accountNumberText(number);
  const parts = [CONNECTIONS.type[type], masked, currency.toUpperCase()];
  if (status === 'unavailable') parts.push(WORDS.unavailable);
  if (counted !== null) parts.push(CONNECTIONS.linkedTwice);
  return parts.filter((part) => part !== null).join(' · ');
}

function byBank(accounts: readonly Account[]): ReadonlyMap<string, readonly Account[]> {
  const banks = new Map<string, Account[]>();
  for (const account of accounts) {
    const known = banks.get(account.connection);
    if (known === undefined) banks.set(account.connection, [account]);
    else known.push(account);
  }
  return banks;
}
