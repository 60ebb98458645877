import { Link } from '@tanstack/react-router';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { WELCOME } from '../../text/welcome.ts';
import { BankStep } from './bank-step.tsx';
import { GuideSteps } from './guide-steps.tsx';
import { Outcome } from './outcome.tsx';
import { RowsStep } from './rows-step.tsx';
import { isSimulated } from './simulated.ts';
import { SpreadsheetStep } from './spreadsheet-step.tsx';
import { useTour } from './use-tour.ts';
import classes from './welcome.module.css';

/** The provider and the destination of the tour; where both are simulated it can be done without an account anywhere. */
const PROVIDER = 'au_banking';
const DESTINATION = 'sheets';
const STEPS = 3;

/** From nothing to rows in three steps. In the sandbox they are a tour, elsewhere the way to the pages that do them. */
export function WelcomePage() {
  const simulated = isSimulated(PROVIDER) && isSimulated(DESTINATION);
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
