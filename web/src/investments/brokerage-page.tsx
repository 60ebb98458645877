import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Account, AccountRecord } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty } from '../parts/page-states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { BROKERAGE, HOLDINGS, TRADES } from '../text/investments.ts';
import { WithAccounts } from '../transactions/chosen-accounts.tsx';

interface BrokeragePageProps {
  readonly title: string;
  /** The page, for a person who has brokerage accounts and may read them. */
  readonly children: (accounts: readonly Account[], record: AccountRecord) => ReactNode;
}

const EXPECTED = 6;

/**
 * The common parts of holdings and trades: the tabs, and what to do without a broker or a plan that includes brokerage.
 */
export function BrokeragePage({ title, children }: BrokeragePageProps) {
  return (
    <Page title={title} wide>
      <Tabs
        label={BROKERAGE.tabs}
        tabs={[
          { to: APP_PATHS.holdings, name: HOLDINGS.title },
          { to: APP_PATHS.trades, name: TRADES.title },
        ]}
      />
      <WithAccounts expected={EXPECTED}>
        {(accounts, record) => (
          <Brokers accounts={accounts} record={record}>
            {children}
          </Brokers>
        )}
      </WithAccounts>
    </Page>
  );
}

interface BrokersProps extends Pick<BrokeragePageProps, 'children'> {
  readonly accounts: readonly Account[];
  readonly record: AccountRecord;
}

function Brokers({ accounts, record, children }: BrokersProps) {
  if (!record.entitlements.brokerage) return <Locked />;
  const brokerage = accounts.filter(({ category }) => category === 'brokerage');
  if (brokerage.length === 0) {
    return (
      <Empty
        title={BROKERAGE.unlinked}
        text={BROKERAGE.unlinkedText}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={APP_PATHS.newConnection}>{BROKERAGE.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  return children(brokerage, record);
}

/** The plan's gate (`professional_required`, docs/errors.md): v2 would refuse every read. */
function Locked() {
  return (
    <Empty
      title={BROKERAGE.locked}
      text={BROKERAGE.lockedText}
      action={
        <Button
          component="a"
          variant="default"
          href={appUrl('docs/plans').href}
          target="_blank"
          rel="noreferrer"
        >
          {BROKERAGE.explain}
        </Button>
      }
    />
  );
}
