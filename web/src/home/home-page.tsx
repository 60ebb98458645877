import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import type { SyncRun } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { inTotals, linkedAccounts, MOST_INVESTED } from '../accounts/linked-accounts.ts';
import { balances } from '../api/accounts.ts';
import { connections } from '../api/connections.ts';
import { me } from '../api/me.ts';
import { syncs } from '../api/syncs.ts';
import { useAttention } from '../api/use-attention.ts';
import { useLiveReads } from '../api/use-events.ts';
import { agoText } from '../format/moments.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { laterPart } from '../parts/later-part.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { CHARTS } from '../text/charts.ts';
import { CONNECTIONS } from '../text/connections.ts';
import { HOME } from '../text/home.ts';
import type * as AttentionPart from './attention.tsx';
import { Balances } from './balances.tsx';
import classes from './home.module.css';
import { LoadingBudget, LoadingSpending, LoadingWorth } from './loading-insights.tsx';

const TONES: Readonly<Record<SyncRun['status'], Tone>> = {
  queued: 'idle',
  running: 'idle',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'idle',
};

const SHOWN = 5;

/** The latest run of each sync, the newest first. */
function RecentRuns() {
  const { data, error, refetch } = useQuery(syncs);
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const runs = (data ?? [])
    .flatMap(({ name, latest_run: run }) => (run === null ? [] : [{ name, run }]))
    .toSorted((a, b) => b.run.created.localeCompare(a.run.created))
    .slice(0, SHOWN);
  return (
    <Card title={HOME.runs}>
      {data === undefined ? (
        <LoadingRows count={2} />
      ) : runs.length === 0 ? (
        <p className={classes.none}>
          {HOME.noRuns} <Link to={APP_PATHS.newSync}>{HOME.createSync}</Link>
        </p>
      ) : (
        <ul className={rows.rows}>
          {runs.map(({ name, run }) => (
            <li key={run.id} className={rows.row}>
              <div className={rows.words}>
                <p className={rows.name}>
                  <Link to={APP_PATHS.syncRun} params={{ id: run.id }} className={rows.link}>
                    {name}
                  </Link>
                </p>
                <p className={rows.detail}>
                  {[agoText(run.completed_at ?? run.created), deliveredIn(run)]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </p>
              </div>
              {run.status === 'succeeded' && run.counts.rejected > 0 ? (
                <StatusBadge tone="warn">{HOME.runRejected(run.counts.rejected)}</StatusBadge>
              ) : (
                <StatusBadge tone={TONES[run.status]}>{HOME.run[run.status]}</StatusBadge>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** "Nothing new" of a run that rejected rows would be read as that all is well. */
function deliveredIn({ counts: { added, updated, rejected } }: SyncRun): string {
  return added + updated === 0 && rejected > 0 ? '' : HOME.delivered(added, updated);
}

/** In the size of the investments, so that little moves when they come. */
function LoadingInvestments({ count }: { readonly count: number }) {
  return (
    <Card title={HOME.investments}>
      <div className={classes.totals}>
        <Skeleton height={44} width={180} />
      </div>
      <LoadingRows count={Math.min(count, MOST_INVESTED)} />
      <div className={classes.notes}>
        <p>{HOME.investmentsText}</p>
      </div>
    </Card>
  );
}

/** Charts are read after the figures of the balances, so their script is loaded later. */
/** With what acts on connections and syncs, which pages that show no list of them do not need. */
const Attention = laterPart<Parameters<typeof AttentionPart.Attention>[0]>({
  name: 'attention',
  load: async () => (await import('./attention.tsx')).Attention,
  loading: ({ items }) => (
    <Card title={HOME.attention} aside={HOME.attentionCount(items.length)}>
      <LoadingRows count={Math.min(items.length, AT_A_GLANCE)} />
    </Card>
  ),
});

const Worth = laterPart({
  name: 'home-worth',
  load: async () => (await import('./insights.tsx')).Worth,
  loading: () => <LoadingWorth />,
});

const Budget = laterPart({
  name: 'home-budget',
  load: async () => (await import('./insights.tsx')).Budget,
  loading: () => <LoadingBudget />,
});

const Spending = laterPart({
  name: 'home-spending',
  load: async () => (await import('./insights.tsx')).Spending,
  loading: () => <LoadingSpending />,
});

/** Most people have no broker, so this part is loaded when needed. */
const Investments = laterPart({
  name: 'home-investments',
  load: async () => (await import('./investments.tsx')).Investments,
  loading: ({ invested }) => <LoadingInvestments count={invested.length} />,
});

const EXPECTED = 6;
const AT_A_GLANCE = 5;

const PERIODS = { 3: '3', 6: '6', 12: '12' } as const;
type Period = (typeof PERIODS)[keyof typeof PERIODS];

export function HomePage() {
  useLiveReads();
  const [period, setPeriod] = useState<Period>(PERIODS[3]);
  const { data } = useQuery(connections);
  const isEmpty = data !== undefined && linkedAccounts(data, 'banking').length === 0;
  return (
    <Page
      title={HOME.title}
      wide
      actions={
        isEmpty ? undefined : (
          <Choices
            label={CHARTS.period}
            choices={Object.values(PERIODS).map((value) => ({ value, name: CHARTS.months(Number(value)) }))}
            chosen={period}
            onChoose={setPeriod}
          />
        )
      }
    >
      <Overview months={Number(period)} />
    </Page>
  );
}

function Overview({ months }: { readonly months: number }) {
  const { data, error, refetch } = useQuery(connections);
  const [wanted, setWanted] = useState<string | null>(null);
  const items = useAttention(true);
  useEffect(() => {
    Attention.preload();
  }, []);
  const linked = linkedAccounts(data ?? [], 'banking');
  const invested = inTotals(linkedAccounts(data ?? [], 'brokerage'));
  // Asked for as soon as the accounts are known, beside what else the page waits for.
  const read = useQuery({ ...balances(linked.map(({ account }) => account.id)), enabled: linked.length > 0 });
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  if (data === undefined || items === null) return <LoadingRows count={EXPECTED} />;
  const attention = items.length === 0 ? null : <Attention items={items} balances={read.data} />;
  if (data.length === 0) {
    return (
      <>
        {attention}
        <Begin />
      </>
    );
  }
  const charts = { linked: inTotals(linked), invested, months, wanted, onCurrency: setWanted };
  const hasAccounts = linked.length + invested.length > 0;
  return (
    <>
      {attention}
      <div className={hasAccounts ? classes.parts : ''}>
        {hasAccounts ? (
          <div className={classes.lead}>
            <Worth {...charts} />
          </div>
        ) : null}
        <div className={classes.side}>
          {linked.length === 0 ? null : <Balances linked={linked} />}
          {invested.length === 0 ? null : <Brokerage invested={invested} />}
          {linked.length === 0 ? null : <Budget {...charts} />}
          <RecentRuns />
        </div>
        {linked.length === 0 ? null : (
          <div className={classes.rest}>
            <Spending {...charts} />
          </div>
        )}
      </div>
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
            <LinkButton to={APP_PATHS.welcome}>{HOME.begin}</LinkButton>
            <LinkButton to={APP_PATHS.newConnection} variant="default" leftSection={<Icon name="plus" />}>
              {CONNECTIONS.link}
            </LinkButton>
          </div>
        </OwnerOnly>
      }
    />
  );
}
