import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Monogram } from '../../parts/icon.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import type { Held } from './held-accounts.ts';

interface AccountRowProps extends Held {
  readonly children: ReactNode;
  /** What is asked of it. */
  readonly below?: ReactNode;
}

/** An account and where it is, with what it holds. */
export function AccountRow({ account, connection, children, below = null }: AccountRowProps) {
  return (
    <li>
      <div className={rows.row}>
        <Monogram name={connection.institution.name} />
        <div className={rows.words}>
          <p className={rows.name}>{account.name}</p>
          <p className={rows.detail}>
            <Link to={PATHS.connection} params={{ id: connection.id }} className={rows.link}>
              {connection.institution.name}
            </Link>
            {` · ${CONNECTIONS.type[account.type]}`}
          </p>
        </div>
        {children}
      </div>
      {below}
    </li>
  );
}
