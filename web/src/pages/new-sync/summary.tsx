import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { LIMITS } from '../../../../src/vocabulary/limits.ts';
import { SYNC_FIELDS } from '../../../../src/vocabulary/row-fields.ts';
import { useAccountNames } from '../../api/accounts.ts';
import { me } from '../../api/me.ts';
import { rulesets } from '../../api/rulesets.ts';
import { dayText } from '../../format/moments.ts';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { SYNC_FIELDS_TEXT } from '../../text/sync-settings.ts';
import { SYNC } from '../../text/syncs.ts';
import { mapsCategories } from '../sync-fields/mapping-modes.ts';
import { scheduleWords } from '../sync-fields/schedule-words.ts';
import { placeText } from '../syncs/place-text.ts';
import { bodyOf, type Plan, type Step, stepsOf } from './plan.ts';

interface SummaryProps {
  readonly plan: Plan;
  readonly name: string;
  readonly destination: Destination;
}

/** What has been chosen, with the way back to each choice. */
export function Summary({ plan, name, destination }: SummaryProps) {
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
    .filter(
      (flag) =>
        flag !== 'include_balances_tab' || DESTINATION_KINDS[destination.type].texts.balances !== null,
    )
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
          : [
              plan.dataFrom === null
                ? NEW_SYNC.usualStart(months)
                : `${SYNC.since} ${dayText(plan.dataFrom)}`,
            ]),
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
            <Link to={PATHS.newSync} search={{ step }} aria-label={NEW_SYNC.change(NEW_SYNC.steps[step])}>
              {SYNC.change}
            </Link>
          </li>
        ))}
    </ul>
  );
}
