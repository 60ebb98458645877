import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { useStillHere } from '../../parts/still-here.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { SYNCS } from '../../text/syncs.ts';
import { fittingMappings } from '../fields/mapping-modes.ts';
import { type RefusedEntry, refusedEntry } from '../fields/refused-entry.ts';
import { timesProblem } from '../fields/schedule-words.ts';
import classes from './new-sync.module.css';
import { EMPTY_PLAN, lackOf, type Plan, reachableStep, type Step, stepOfProblem, stepsOf } from './plan.ts';
import { discardSaved, useIsSaving } from './save-plan.ts';
import { StepBody } from './step-body.tsx';
import { type Planning, usePlan } from './use-plan.ts';

const route = getRouteApi(APP_PATHS.newSync);

/** Sets up a sync, step by step. What was chosen stays in the tab until the sync starts. */
export function NewSyncPage() {
  const { step, destination } = route.useSearch();
  const planning = usePlan(destination);
  const { plan, destinations, error, retry } = planning;
  return (
    <>
      <Back to={APP_PATHS.syncs}>{SYNCS.title}</Back>
      <Page title={NEW_SYNC.title} actions={plan === EMPTY_PLAN ? null : <StartOver planning={planning} />}>
        {destinations !== undefined ? (
          <OwnerOnly scope="syncs:write" otherwise="page">
            <Steps planning={planning} asked={step ?? (destination === undefined ? 'data' : 'places')} />
          </OwnerOnly>
        ) : error === null ? (
          <LoadingRows count={4} />
        ) : (
          <Problem error={error} again={retry} />
        )}
      </Page>
    </>
  );
}

function StartOver({ planning: { plan, startOver } }: { readonly planning: Planning }) {
  const navigate = useNavigate();
  const saving = useIsSaving();
  const stillHere = useStillHere();
  const discard = useMutation({
    mutationFn: async () => {
      if (plan.saved !== null) await discardSaved(plan.saved);
    },
    onMutate: stillHere,
    onSuccess: (_, _asked, isHere) => {
      startOver();
      if (isHere()) navigate({ to: APP_PATHS.newSync, search: {} });
    },
  });
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={discard.isPending}
      disabled={saving}
      onClick={() => discard.mutate()}
    >
      {NEW_SYNC.startOver}
    </Button>
  );
}

interface StepsProps {
  readonly planning: Planning;
  readonly asked: Step;
}

function Steps({ planning, asked }: StepsProps) {
  const { plan, destination } = planning;
  const type = destination?.type ?? null;
  const steps = stepsOf(plan, type);
  const here = reachableStep(asked, plan, type);
  const at = steps.indexOf(here);
  const navigate = useNavigate();
  const saving = useIsSaving();
  const [lacking, setLacking] = useState<Step | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const [refusedMapping, setRefusedMapping] = useState<RefusedEntry | null>(null);
  const lack = lackOf(here, plan, type);
  const go = (step: Step | undefined) => {
    setLacking(null);
    if (step !== undefined) navigate({ to: APP_PATHS.newSync, search: { step } });
  };
  const next = () => {
    if (lack !== null || !isScheduleFit(plan)) return setLacking(here);
    if (stepOfProblem(refused) === here) setRefused(null);
    go(steps[at + 1]);
  };
  return (
    <>
      <StepsBar steps={steps} here={here} fixed={saving} />
      <StepHeading step={here} position={NEW_SYNC.step(at + 1, steps.length)} />
      {stepOfProblem(refused) === here ? (
        <Problem error={refused} title={`${NEW_SYNC.createFailed}. ${NEW_SYNC.refusedHere}`} />
      ) : null}
      <div className={`${classes.body} ${here === 'review' ? classes.wide : ''}`}>
        <StepBody
          step={here}
          planning={planning}
          refused={refusedMapping}
          onRefused={(error) => {
            const step = stepOfProblem(error);
            if (step === null || !steps.includes(step)) return;
            setRefused(error);
            const account_mappings = fittingMappings(plan.accountMappings, plan.accounts);
            setRefusedMapping(refusedEntry(error, { account_mappings, mappings: plan.categoryMappings }));
            go(step);
          }}
        />
      </div>
      <div className={classes.actions}>
        {lacking !== here || lack === null ? null : (
          <p className={classes.lack} role="alert">
            {NEW_SYNC.lacks[lack]}
          </p>
        )}
        {at === 0 ? null : (
          <Button variant="default" disabled={saving} onClick={() => go(steps[at - 1])}>
            {NEW_SYNC.back}
          </Button>
        )}
        {here === 'review' ? null : <Button onClick={next}>{NEW_SYNC.next}</Button>}
      </div>
    </>
  );
}

/** Names and times are marked as wrong while they are typed; they just cannot be left like that. */
function isScheduleFit({ name, schedule }: Plan): boolean {
  if (name?.trim() === '') return false;
  return schedule === null || !('times' in schedule) || timesProblem(schedule.times) === null;
}

/** A new step takes the focus, so that screen readers announce it. */
function StepHeading({ step, position }: { readonly step: Step; readonly position: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);
  return (
    <h2 className={classes.heading} tabIndex={-1} ref={heading}>
      {NEW_SYNC.heading[step]} <span className={classes.hint}>{position}</span>
    </h2>
  );
}

interface StepsBarProps {
  readonly steps: readonly Step[];
  readonly here: Step;
  /** Whether the ways back are closed for now. */
  readonly fixed: boolean;
}

/** The current step, with links back to completed ones. */
function StepsBar({ steps, here, fixed }: StepsBarProps) {
  const at = steps.indexOf(here);
  return (
    <nav aria-label={NEW_SYNC.progress}>
      <ol className={classes.steps}>
        {steps.map((step, index) => {
          const words = (
            <>
              <span className={classes.number}>{index + 1}</span>
              <span className={classes.name}>{NEW_SYNC.steps[step]}</span>
            </>
          );
          return (
            <li key={step}>
              {index < at && !fixed ? (
                <Link to={APP_PATHS.newSync} search={{ step }} className={`${classes.step} ${classes.done}`}>
                  {words}
                </Link>
              ) : (
                <span
                  className={`${classes.step} ${index === at ? classes.here : ''}`}
                  aria-current={index === at ? 'step' : undefined}
                >
                  {words}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
