import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { Destination, Sync } from '#client';
import { api } from '../../api/client.ts';
import { Card } from '../../parts/card.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { DRY_RUN } from '../../text/sync-checks.ts';
import { Checking } from '../sync-checks/checking.tsx';
import { DryRunResult } from '../sync-checks/dry-run-result.tsx';
import { useCheck } from '../sync-checks/use-check.ts';
import classes from './new-sync.module.css';
import type { Plan } from './plan.ts';
import { type Intent, savePlan } from './save-plan.ts';
import { SAVING } from './saving.ts';
import { forgetPlan } from './stored-plan.ts';
import { Summary } from './summary.tsx';
import type { Planning } from './use-plan.ts';

interface ReviewStepProps {
  readonly plan: Plan;
  readonly name: string;
  readonly destination: Destination;
  readonly noteSaved: Planning['noteSaved'];
  /** What v2 refused, for the step at which it can be changed. */
  readonly onRefused: (error: unknown) => void;
}

/** Everything once more, what the first run would do, and the start. */
export function ReviewStep({ plan, name, destination, noteSaved, onRefused }: ReviewStepProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { matchRoute } = useRouter();
  /** Who has gone elsewhere meanwhile stays there. */
  const isHere = () => matchRoute({ to: PATHS.newSync }) !== false;
  const save = useMutation({
    mutationKey: SAVING,
    mutationFn: (intent: Intent) =>
      savePlan({
        plan,
        destination: destination.type,
        name,
        intent,
        onSaved: (saved) => noteSaved({ saved, savedFrom: plan.dataFrom }),
      }),
    onSuccess: (sync, intent) => {
      if (intent !== 'preview') finish(sync);
    },
    onError: (error) => {
      if (isHere()) onRefused(error);
    },
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['syncs'] });
      queries.invalidateQueries({ queryKey: ['destinations'] });
    },
  });
  const finish = ({ id, latest_run: run }: Sync) => {
    forgetPlan();
    if (!isHere()) return;
    if (run === null) navigate({ to: PATHS.sync, params: { id } });
    else navigate({ to: PATHS.syncRun, params: { id: run.id } });
  };
  const preview = useCheck(['dry-run', 'plan'], async (signal) => {
    const { id } = await save.mutateAsync('preview');
    return api.syncs.dryRun({ id }, { signal });
  });
  const busy = save.isPending || preview.busy;
  return (
    <>
      <Card title={NEW_SYNC.summary}>
        <Summary plan={plan} name={name} destination={destination} />
      </Card>
      <Card title={NEW_SYNC.preview.title}>
        <div className={classes.preview}>
          <p className={classes.hint}>
            {plan.saved === null ? NEW_SYNC.preview.text : NEW_SYNC.preview.saved}
          </p>
          {preview.error === null || save.error !== null ? null : (
            <Problem error={preview.error} title={NEW_SYNC.preview.failed} />
          )}
          {preview.result === undefined ? null : <DryRunResult dryRun={preview.result} />}
          {preview.busy ? (
            <Checking text={DRY_RUN.reading} stop={DRY_RUN.stop} onStop={preview.stop} />
          ) : (
            <div>
              <Button variant="default" disabled={busy} onClick={preview.start}>
                {preview.result === undefined ? NEW_SYNC.preview.action : NEW_SYNC.preview.again}
              </Button>
            </div>
          )}
        </div>
      </Card>
      {save.error === null ? null : <Problem error={save.error} title={NEW_SYNC.createFailed} />}
      <div className={classes.starts}>
        <div className={classes.make}>
          <Button
            loading={save.isPending && save.variables === 'run'}
            disabled={busy}
            onClick={() => save.mutate('run')}
          >
            {NEW_SYNC.run}
          </Button>
          <Button
            variant="default"
            loading={save.isPending && save.variables === 'later'}
            disabled={busy}
            onClick={() => save.mutate('later')}
          >
            {NEW_SYNC.later}
          </Button>
        </div>
        <p className={classes.hint}>{`${NEW_SYNC.runHint} ${NEW_SYNC.laterHint}`}</p>
      </div>
    </>
  );
}
