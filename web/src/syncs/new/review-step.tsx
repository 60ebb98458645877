import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import type { Destination, Sync } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { LIMITS } from '../../../../src/vocabulary/limits.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { SYNC_FIELDS } from '../../../../src/vocabulary/row-fields.ts';
import { useAccountNames } from '../../api/accounts.ts';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { rulesets } from '../../api/rulesets.ts';
import { dayText } from '../../format/moments.ts';
import { Card } from '../../parts/card.tsx';
import { Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { destinationTexts } from '../../text/kinds.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { DRY_RUN } from '../../text/sync-checks.ts';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { SYNC } from '../../text/syncs.ts';
import { Checking, useCheck } from '../checks/check.tsx';
import { DryRunResult } from '../checks/dry-run-result.tsx';
import { mapsCategories, placeText } from '../fields/mapping-modes.ts';
import { scheduleWords } from '../fields/schedule-words.ts';
import classes from './new-sync.module.css';
import { bodyOf, type Plan, type Step, stepsOf } from './plan.ts';
import { type Intent, SAVING, savePlan } from './save-plan.ts';
import { forgetPlan } from './stored-plan.ts';
import type { Planning } from './use-plan.ts';

interface ReviewStepProps {
  readonly plan: Plan;
  readonly name: string;
  readonly destination: Destination;
  readonly noteSaved: Planning['noteSaved'];
  /** What v2 refused, for the step at which it can be changed. */
  readonly onRefused: (error: unknown) => void;
}

/** A summary, what the first run would do, and the start. */
export function ReviewStep({ plan, name, destination, noteSaved, onRefused }: ReviewStepProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  /** Whether the person is still setting up a sync, at whichever step: not while another page is loading either. */
  const isHere = () => history.location.pathname.endsWith(APP_PATHS.newSync);
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
    if (run === null) navigate({ to: APP_PATHS.sync, params: { id } });
    else navigate({ to: APP_PATHS.syncRun, params: { id: run.id } });
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
        <div className={classes.preview} data-checking={preview.busy || undefined}>
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

interface SummaryProps {
  readonly plan: Plan;
  readonly name: string;
  readonly destination: Destination;
}

/** What has been chosen, with a link back to each choice. */
function Summary({ plan, name, destination }: SummaryProps) {
  const nameOf = useAccountNames();
  const steps = stepsOf(plan, destination.type);
  const options = SYNC_FIELDS_TEXT.options;
  const record = useQuery(me).data;
  const sets = useQuery({ ...rulesets, enabled: plan.ruleset !== null }).data;
  const { mapping_mode: mode, account_mappings: mappings = [] } = bodyOf(plan, destination.type, name);
  const months = (record?.status === 'trialing' ? LIMITS.sync_trial_months : LIMITS.sync_default_months)
    .default;
  const maps = mapsCategories(plan.type, destination.type);
  const flags = (
    ['include_pending', 'custom_categories', 'include_balances_tab', 'mask_account_numbers'] as const
  )
    .filter((flag) => plan.flags[flag])
    .filter((flag) => flag !== 'include_balances_tab' || destinationTexts(destination.type).balances !== null)
    .map((flag) => options[flag]);
  const chosen = [
    ['data', NEW_SYNC.types[plan.type].name],
    ['accounts', plan.accounts.map(nameOf).join(', ')],
    ['destination', placeText(destination)],
    [
      'places',
      [
        mode === 'per_account' || mappings.length > 0 ? NEW_SYNC.mappedAccounts : NEW_SYNC.together,
        ...(maps ? [SYNC.categoriesMapped(plan.categoryMappings.length)] : []),
      ].join(' · '),
    ],
    [
      'rows',
      [
        ...(plan.type === 'holdings'
          ? []
          : [plan.dataFrom === null ? NEW_SYNC.usualStart(months) : SYNC.sinceDay(dayText(plan.dataFrom))]),
        ...flags,
        ...(plan.ruleset === null
          ? []
          : [`${SYNC.ruleset}: ${sets?.find(({ id }) => id === plan.ruleset)?.name ?? plan.ruleset}`]),
        ...(DESTINATION_KINDS[destination.type].columns
          ? [
              plan.columns === null
                ? SYNC.standardColumns
                : plan.columns.map((one) => SYNC_FIELDS[plan.type][one]?.header ?? one).join(', '),
            ]
          : []),
      ].join(' · '),
    ],
    ['schedule', `${name} · ${scheduleWords(plan.schedule)}`],
  ] as const satisfies readonly (readonly [Step, string])[];
  return (
    <ul className={rows.rows}>
      {chosen
        .filter(([step]) => steps.includes(step))
        .map(([step, words]) => (
          <li key={step} className={rows.row}>
            <div className={rows.words}>
              <p className={rows.detail}>{NEW_SYNC.steps[step]}</p>
              <p>{words}</p>
            </div>
            <Link to={APP_PATHS.newSync} search={{ step }} aria-label={NEW_SYNC.change(NEW_SYNC.steps[step])}>
              {SYNC.change}
            </Link>
          </li>
        ))}
    </ul>
  );
}
