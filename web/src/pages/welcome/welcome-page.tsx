import { useQueries } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Destination } from '#client';
import { PROVIDER_IDENTIFIERS, PROVIDERS } from '../../../../src/vocabulary/providers.ts';
import { connections } from '../../api/connections.ts';
import { destinations } from '../../api/destinations.ts';
import { syncs } from '../../api/syncs.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { LINKED } from '../../text/connections.ts';
import { reasonText } from '../../text/reason.ts';
import { WELCOME } from '../../text/welcome.ts';
import { BankStep } from './bank-step.tsx';
import { RowsStep } from './rows-step.tsx';
import { SpreadsheetStep } from './spreadsheet-step.tsx';
import { Step } from './step.tsx';
import { type Tour, tourOf } from './tour-state.ts';
import classes from './welcome.module.css';

/** Somebody watches the run, so its counts are read more often than elsewhere. */
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

const route = getRouteApi(PATHS.welcome);

/** Why nothing was linked or connected, where the person has just come back without. Success shows in the steps. */
function Outcome() {
  const { link_session: bank, destination_link: destination, reason = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const failed = bank === 'failed' ? LINKED : destination === 'failed' ? WELCOME.notConnected : null;
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
 * The provider and the destination of the tour; where both are simulated it can be done without an account anywhere. The
 * tour chooses the bank, so it takes a provider at which a link names one.
 */
const PROVIDER = PROVIDER_IDENTIFIERS.find((name) => PROVIDERS[name].linksInstitution) ?? null;
const DESTINATION = 'sheets';
const STEPS = 3;

/** From nothing to rows in three steps. In the sandbox they are a tour, elsewhere the way to the pages that do them. */
export function WelcomePage() {
  const simulated = PROVIDER !== null && isSimulated(PROVIDER) && isSimulated(DESTINATION);
  const { title, intro } = simulated ? WELCOME.tour : WELCOME.guide;
  return (
    <Page
      title={title}
      actions={
        <LinkButton to={PATHS.home} variant="default">
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
    return error === null ? <LoadingRows count={STEPS} /> : <Problem error={error} again={again} />;
  const finished = tour.sync?.latest_run?.status === 'succeeded';
  return (
    <>
      <ol className={classes.steps}>
        <BankStep tour={tour} provider={simulated ? PROVIDER : null} />
        {simulated ? (
          <>
            <SpreadsheetStep tour={tour} />
            <RowsStep tour={tour} />
          </>
        ) : (
          <GuideSteps tour={tour} />
        )}
      </ol>
      {finished ? (
        <p className={classes.next}>
          {WELCOME.finished} <Link to={PATHS.home}>{WELCOME.home}</Link>
        </p>
      ) : null}
    </>
  );
}

/**
 * Whether the sandbox stands in for this integration (docs/sandbox.md). The service says so in the page: it holds for
 * the whole installation and changes with its settings alone.
 */
function isSimulated(integration: string): boolean {
  const names = document.querySelector('meta[name="simulated"]')?.getAttribute('content') ?? '';
  return names.split(' ').includes(integration);
}

/** The steps after the bank where destinations are real: each leads to the page that does it. */
function GuideSteps({ tour: { bank, destination, sync } }: { readonly tour: Tour }) {
  const steps = [
    { ...WELCOME.destination, to: PATHS.newDestination, done: destination !== null, after: bank !== null },
    { ...WELCOME.sync, to: PATHS.newSync, done: sync !== null, after: bank !== null && destination !== null },
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
