import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Account } from '../../api/account.ts';
import { accounts } from '../../api/accounts.ts';
import { appUrl } from '../../api/app-url.ts';
import { type AccountRecord, me } from '../../api/me.ts';
import { Empty } from '../../parts/empty.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { PATHS } from '../../routing/paths.ts';
import { BROKERAGE, HOLDINGS, TRADES } from '../../text/brokerage.ts';

interface BrokeragePageProps {
  readonly title: string;
  /** The page, for somebody who has brokerage accounts and may read them. */
  readonly children: (accounts: readonly Account[], record: AccountRecord) => ReactNode;
}

const EXPECTED = 6;

/** What holdings and trades have in common: the tabs, and what to do where there is no broker or the plan has none. */
export function BrokeragePage({ title, children }: BrokeragePageProps) {
  return (
    <Page title={title}>
      <Tabs
        label={BROKERAGE.tabs}
        tabs={[
          { to: PATHS.holdings, name: HOLDINGS.title },
          { to: PATHS.trades, name: TRADES.title },
        ]}
      />
      <Loaded>{children}</Loaded>
    </Page>
  );
}

function Loaded({ children }: Pick<BrokeragePageProps, 'children'>) {
  const listed = useQuery(accounts);
  const record = useQuery(me);
  const error = listed.error ?? record.error;
  if (error !== null) {
    const again = () => Promise.all([listed.refetch(), record.refetch()]);
    return <Problem error={error} again={again} />;
  }
  if (listed.data === undefined || record.data === undefined) return <LoadingRows count={EXPECTED} />;
  if (!record.data.entitlements.brokerage) return <Locked />;
  const brokerage = listed.data.filter(({ category }) => category === 'brokerage');
  if (brokerage.length === 0) {
    return (
      <Empty
        title={BROKERAGE.unlinked}
        text={BROKERAGE.unlinkedText}
        action={
          <OwnerOnly scope="connections:write" otherwise="sentence">
            <LinkButton to={PATHS.newConnection}>{BROKERAGE.link}</LinkButton>
          </OwnerOnly>
        }
      />
    );
  }
  return children(brokerage, record.data);
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
