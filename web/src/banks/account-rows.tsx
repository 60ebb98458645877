import { Link } from '@tanstack/react-router';
import type { Account, Connection } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { accountNumberText } from '../format/account-number.ts';
import { CONNECTIONS } from '../text/connections.ts';
import classes from './connections.module.css';

interface AccountRowsProps {
  readonly connection: Connection;
  /** Below the name of the bank instead of at the edge. */
  readonly inset?: boolean;
}

/** The accounts of a connection. */
export function AccountRows({ connection, inset = false }: AccountRowsProps) {
  const accounts = connection.accounts ?? [];
  if (accounts.length === 0) {
    return (
      <p className={classes.none} aria-live="polite">
        {connection.status === 'pending' ? CONNECTIONS.settling : CONNECTIONS.noAccounts}
      </p>
    );
  }
  return (
    <ul className={inset ? `${classes.accounts} ${classes.inset}` : classes.accounts}>
      {accounts.map((account) => (
        <AccountRow key={account.id} account={account} />
      ))}
    </ul>
  );
}

function AccountRow({ account }: { readonly account: Account }) {
  const { id, name, type, account_number: number, currency, status, duplicate_of: counted } = account;
  return (
    <li className={classes.account}>
      <span className={classes.accountName}>
        <Link to={APP_PATHS.account} params={{ id }} className={classes.link}>
          {name}
        </Link>
      </span>
      <span className={classes.accountType}>
        {status === 'unavailable'
          ? CONNECTIONS.unavailable
          : counted === null
            ? CONNECTIONS.type[type]
            : CONNECTIONS.linkedTwice}
      </span>
      <span className={classes.number}>
        {number === null || number === undefined ? '' : accountNumberText(number)}
      </span>
      <span className={classes.currency}>{currency.toUpperCase()}</span>
    </li>
  );
}
