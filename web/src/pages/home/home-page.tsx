import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { balances } from '../../api/accounts.ts';
import { connections } from '../../api/connections.ts';
import { me } from '../../api/me.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { laterPart } from '../../parts/later-part.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import { HOME } from '../../text/home.ts';
import { Attention } from './attention.tsx';
import { Balances } from './balances.tsx';
import { heldAccounts } from './held-accounts.ts';
import classes from './home.module.css';
import { LoadingInsights } from './loading-insights.tsx';
import { LoadingInvestments } from './loading-investments.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { useAttention } from './use-attention.ts';

/** Charts are read after the figures, so their script is loaded after the rest. */
const Insights = laterPart({
  name: 'home-insights',
  load: async () => (await import('./insights.tsx')).Insights,
  loading: () => <LoadingInsights />,
});

/** Most people have no broker, so theirs is loaded when it is needed. */
const Investments = laterPart({
  name: 'home-investments',
  load: async () => (await import('./investments.tsx')).Investments,
  loading: ({ invested }) => <LoadingInvestments count={invested.length} />,
});

const EXPECTED = 6;

export function HomePage() {
  return (
    <Page title={HOME.title}>
      <Overview />
    </Page>
  );
}

function Overview() {
  const { data, error, refetch } = useQuery(connections);
  const items = useAttention(data);
  const held = heldAccounts(data ?? [], 'banking');
  const invested = heldAccounts(data ?? [], 'brokerage');
  // Asked for as soon as the accounts are known, beside what else the page waits for.
  useQuery({ ...balances(held.map(({ account }) => account.id)), enabled: held.length > 0 });
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  if (data === undefined || items === null) return <LoadingRows count={EXPECTED} />;
  const attention = <Attention items={items} />;
  if (data.length === 0) {
    return (
      <>
        {attention}
        <Begin />
      </>
    );
  }
  return (
    <>
      {attention}
      {held.length === 0 ? null : <Balances held={held} />}
      {invested.length === 0 ? null : <Brokerage invested={invested} held={held} />}
      <RecentRuns />
      {held.length === 0 ? null : <Insights held={held} />}
    </>
  );
}

function Brokerage(props: ComponentProps<typeof Investments>) {
  const { data: record } = useQuery(me);
  if (record?.entitlements.brokerage === false) {
    return (
      <Card title={HOME.investments}>
        <p className={classes.none}>{HOME.investmentsLocked}</p>
      </Card>
    );
  }
  if (record === undefined) return <LoadingInvestments count={props.invested.length} />;
  return <Investments {...props} />;
}

function Begin() {
  return (
    <Empty
      title={HOME.none}
      text={HOME.noneText}
      action={
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <div className={classes.begin}>
            <LinkButton to={PATHS.welcome}>{HOME.begin}</LinkButton>
            <LinkButton to={PATHS.newConnection} variant="default" leftSection={<Icon name="plus" />}>
              {CONNECTIONS.link}
            </LinkButton>
          </div>
        </OwnerOnly>
      }
    />
  );
}
