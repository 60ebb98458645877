import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Account, AccountRecord, Category } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { WITH_TRANSACTIONS } from '../../../src/vocabulary/provider-kinds.ts';
import { countedSpending } from '../accounts/spending-rules.ts';
import { categories } from '../api/categories.ts';
import { savedViews } from '../api/saved-views.ts';
import { daysIn } from '../format/days.ts';
import { dayIn } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadingRows } from '../parts/page-states.tsx';
import { CONNECTIONS } from '../text/connections.ts';
import { EXPORTS, TRANSACTIONS } from '../text/transactions.ts';
import { banksOf, chosenAccounts, UnlinkedAccount, WithAccounts } from './chosen-accounts.tsx';
import { ExportDialog, type ExportDialogProps } from './export-dialog.tsx';
import { Filters } from './filters.tsx';
import { narrows } from './matching.ts';
import type { TransactionWindow } from './reads.ts';
import { SavedViews } from './saved-views.tsx';
import { daysOf, type TransactionsSearch, transactionsSearch } from './search.ts';
import { TransactionList } from './transaction-list.tsx';
import { TransactionTabs } from './transaction-tabs.tsx';
import { useTransactionRows } from './use-transaction-rows.ts';

const EXPECTED = 10;
/** For a search in more days than these, the person is asked before all of them are read. */
const MOST_DAYS_UNASKED = 366;
const NO_CATEGORIES: readonly Category[] = [];

export function TransactionsPage() {
  // They are above the rows, which their coming would move.
  const { isPending } = useQuery(savedViews);
  return (
    <Page title={TRANSACTIONS.title} wide>
      <TransactionTabs />
      <WithAccounts expected={EXPECTED}>
        {(accounts, record) =>
          isPending ? <LoadingRows count={EXPECTED} /> : <Banks accounts={accounts} record={record} />
        }
      </WithAccounts>
    </Page>
  );
}

function Banks({ accounts, record }: FilteredProps) {
  const readable = accounts.filter(({ category }) => WITH_TRANSACTIONS.includes(category));
  if (readable.length === 0) {
    return (
      <Empty
        title={TRANSACTIONS.noAccount}
        text={TRANSACTIONS.noAccountText}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={APP_PATHS.newConnection}>{CONNECTIONS.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  return <Filtered accounts={readable} record={record} />;
}

interface FilteredProps {
  readonly accounts: readonly Account[];
  readonly record: AccountRecord;
}

const route = getRouteApi(APP_PATHS.transactions);

function Filtered({ accounts: all, record }: FilteredProps) {
  // The router also passes on what the validation left out.
  const search = route.useSearch({ select: transactionsSearch });
  const navigate = route.useNavigate();
  const chosen = useMemo(() => chosenAccounts(all, search.account), [all, search.account]);
  const today = dayIn(record.timezone);
  const days = daysOf(search, today);
  const window = { ...days, banks: banksOf(chosen) };
  return (
    <>
      <SavedViews search={search} />
      <Filters accounts={all} days={days} search={search} today={today} />
      {chosen.length === 0 ? (
        <UnlinkedAccount
          onShowAll={() => navigate({ search: ({ account: _, ...others }) => others, replace: true })}
        />
      ) : (
        <Rows key={JSON.stringify(window)} window={window} all={all} accounts={chosen} search={search} />
      )}
    </>
  );
}

interface RowsProps {
  readonly window: TransactionWindow;
  /** Also those that are not chosen: with them, it is known what counts as spending. */
  readonly all: readonly Account[];
  readonly accounts: readonly Account[];
  readonly search: TransactionsSearch;
}

function Rows({ window, all, accounts: chosen, search }: RowsProps) {
  const { data: tree = NO_CATEGORIES } = useQuery(categories);
  const spending = useMemo(() => countedSpending(all, tree), [all, tree]);
  const sought = narrows(search) || search.sort !== undefined;
  const read = useTransactionRows(window, sought && daysIn(window) <= MOST_DAYS_UNASKED);
  return (
    <TransactionList
      read={read}
      accounts={chosen}
      categories={tree}
      spending={spending}
      search={search}
      days={window}
      action={
        <ExportButton
          read={read}
          window={window}
          accounts={chosen}
          categories={tree}
          spending={spending}
          search={search}
        />
      }
    />
  );
}

/** Opens the choice of a file with what is shown. */
function ExportButton(props: Omit<ExportDialogProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        disabled={props.read.rows === null}
        onClick={() => setOpen(true)}
      >
        {EXPORTS.action}
      </Button>
      {open ? <ExportDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
