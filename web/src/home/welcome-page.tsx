import { useQueries } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Destination } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { PROVIDER_IDENTIFIERS, PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { connections } from '../api/connections.ts';
import { destinations } from '../api/destinations.ts';
import { namesInPage } from '../api/page-names.ts';
import { syncs } from '../api/syncs.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Notice } from '../parts/notice.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { LINKED } from '../text/connections.ts';
import { reasonText } from '../text/problems.ts';
import { WELCOME } from '../text/welcome.ts';
import { type Tour, tourOf } from './tour-state.ts';
import { Step } from './tour-step.tsx';
import { BankStep, ChartsStep, RowsStep, SpreadsheetStep } from './tour-steps.tsx';
import classes from './welcome.module.css';

/** The person is watching the run, so its counts are read more often than elsewhere. */
const WATCHED_MS = 2_000;

interface TourReading {
  readonly tour: Tour | null;
  readonly error: unknown;
  readonly again: () => void;
}

function useTour(type: Destination['type'] | null): TourReading {
  const watched = {
    ...syncs,
    refetchInterval: ({ state }: { state: { data?: readonly { status: string }[] | undefined } }) =>
      state.data?.some(({ status }) => status === 'running') === true ? WATCHED_MS : (false as const),
  };
  const [banks, places, copies] = useQueries({ queries: [connections, destinations, watched] });
  const read = [banks, places, copies];
  const tour =
    banks.data === undefined || places.data === undefined || copies.data === undefined
      ? null
      : tourOf({ connections: banks.data, destinations: places.data, syncs: copies.data }, type);
  return {
    tour,
    error: read.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    again: () => {
      for (const { error, refetch } of read) if (error !== null) refetch();
    },
  };
}

const route = getRouteApi(APP_PATHS.welcome);

/** Why nothing was linked or connected, if the person has just come back. Success shows in the steps. */
function Outcome() {
  const { link_session: bank, destination_link: destination, reason = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const failed =
    bank === 'failed'
      ? { failed: LINKED.failed(LINKED.bank), unknown: LINKED.unknown }
      : destination === 'failed'
        ? WELCOME.notConnected
        : null;
  if (failed === null) return null;
  return (
    <Notice
      tone="bad"
      title={failed.failed}
      text={bank === 'failed' ? reasonText(LINKED.reasons, reason, failed.unknown) : failed.unknown}
      onClose={() => navigate({ search: {}, replace: true })}
    />
  );
}

/**
 * The provider and the destination of the tour; if both are simulated, the tour needs no account anywhere. The tour
 * chooses the bank, so it uses a provider whose links name one.
 */
const PROVIDER = PROVIDER_IDENTIFIERS.find((name) => PROVIDERS[name].linksInstitution) ?? null;
const DESTINATION = 'sheets';

/** From nothing to rows, step by step. In the sandbox that is a tour, otherwise links to the pages for each step. */
export function WelcomePage() {
  const simulated = PROVIDER !== null && isSimulated(PROVIDER) && isSimulated(DESTINATION);
  const { title, intro } = simulated ? WELCOME.tour : WELCOME.guide;
  return (
    <Page
      title={title}
      actions={
        <LinkButton to={APP_PATHS.home} variant="default">
          {WELCOME.leave}
        </LinkButton>
      }
    >
      <OwnerOnly scope="connections:write" otherwise="page">
        <p className={classes.intro}>{intro}</p>
        <Outcome />
        <Steps simulated={simulated} />
      </OwnerOnly>
    </Page>
  );
}

function Steps({ simulated }: { readonly simulated: boolean }) {
  const { tour, error, again } = useTour(simulated ? DESTINATION : null);
  if (tour === null)
    return error === null ? (
      <LoadingRows count={simulated ? 4 : 3} />
    ) : (
      <Problem error={error} again={again} />
    );
  const finished = tour.sync?.latest_run?.status === 'succeeded';
  return (
    <>
      <ol className={classes.steps}>
        <BankStep tour={tour} provider={simulated ? PROVIDER : null} />
        {simulated ? (
          <>
            <SpreadsheetStep tour={tour} />
            <RowsStep tour={tour} />
            <ChartsStep tour={tour} />
          </>
        ) : (
          <GuideSteps tour={tour} />
        )}
      </ol>
      {finished && !simulated ? (
        <p className={classes.next}>
          {WELCOME.finished} <Link to={APP_PATHS.home}>{WELCOME.home}</Link>
        </p>
      ) : null}
    </>
  );
}

/** Whether the sandbox simulates this integration (docs/sandbox.md). */
function isSimulated(integration: string): boolean {
  return namesInPage('simulated').includes(integration);
}

/** The steps after the bank where destinations are real: each leads to the page that does it. */
function GuideSteps({ tour: { bank, destination, sync } }: { readonly tour: Tour }) {
  const steps = [
    {
      ...WELCOME.destination,
      to: APP_PATHS.newDestination,
      done: destination !== null,
      after: bank !== null,
    },
    {
      ...WELCOME.sync,
      to: APP_PATHS.newSync,
      done: sync !== null,
      after: bank !== null && destination !== null,
    },
  ];
  return steps.map(({ title, text, action, to, done, after }, at) => (
    <Step key={to} number={at + 2} title={title} state={done ? 'done' : after ? 'now' : 'later'}>
      <p className={classes.text}>{text}</p>
      {done ? null : (
        <LinkButton to={to} variant={after ? 'filled' : 'default'} className={classes.action ?? ''}>
          {action}
        </LinkButton>
      )}
    </Step>
  ));
}
