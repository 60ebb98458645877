import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { SYNC_TYPES } from '../../../../src/vocabulary/syncs.ts';
import { me } from '../../api/me.ts';
import { targetText } from '../../destinations/targets.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Check, Fields } from '../../parts/fields.tsx';
import { Empty } from '../../parts/page-states.tsx';
import { destinationTexts } from '../../text/kinds.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { SYNCS } from '../../text/syncs.ts';
import { AccountsField } from '../fields/accounts-field.tsx';
import { CategoriesField } from '../fields/categories-field.tsx';
import { ColumnsField } from '../fields/columns-field.tsx';
import { mapsAccounts, mapsCategories } from '../fields/mapping-modes.ts';
import { OptionsField, RulesetField } from '../fields/options-field.tsx';
import { PlacesField } from '../fields/places-field.tsx';
import type { RefusedEntry } from '../fields/refused-entry.ts';
import { ScheduleField } from '../fields/schedule-field.tsx';
import classes from './new-sync.module.css';
import { type Plan, type Step, withDestination, withType } from './plan.ts';
import { ReviewStep } from './review-step.tsx';
import { isFree, type Planning } from './use-plan.ts';

interface StepBodyProps {
  readonly step: Step;
  readonly planning: Planning;
  /** The mapping that was refused; null for none. */
  readonly refused: RefusedEntry | null;
  readonly onRefused: (error: unknown) => void;
}

/** The fields of a step. Those after the destination are only reached with one. */
export function StepBody({
  step,
  planning: { plan, change, noteSaved, destinations, destination },
  refused,
  onRefused,
}: StepBodyProps) {
  if (step === 'data') return <TypeStep plan={plan} onChange={change} />;
  if (step === 'accounts') {
    return (
      <AccountsField
        type={plan.type}
        chosen={plan.accounts}
        onChange={(accounts) => change({ ...plan, accounts })}
      />
    );
  }
  if (step === 'destination' || destination === null) {
    return <DestinationStep plan={plan} destinations={destinations ?? []} onChange={change} />;
  }
  const suggested = NEW_SYNC.suggested(SYNCS.type[plan.type], destination.name);
  switch (step) {
    case 'places':
      return (
        <>
          {mapsAccounts(plan.type, destination.type) ? (
            <PlacesField
              destination={destination}
              accounts={plan.accounts}
              mode={plan.mode}
              mappings={plan.accountMappings}
              makes={plan.accounts}
              refused={refused}
              onMode={(mode) => change({ ...plan, mode })}
              onMappings={(accountMappings) => change({ ...plan, accountMappings })}
            />
          ) : null}
          {mapsCategories(plan.type, destination.type) ? (
            <CategoriesField
              destination={destination.id}
              mappings={plan.categoryMappings}
              refused={refused}
              onChange={(categoryMappings) => change({ ...plan, categoryMappings })}
            />
          ) : null}
        </>
      );
    case 'rows':
      return (
        <>
          <OptionsField
            type={plan.type}
            destination={destination.type}
            dataFrom={plan.dataFrom}
            flags={plan.flags}
            onDataFrom={(dataFrom) => change({ ...plan, dataFrom })}
            onFlags={(flags) => change({ ...plan, flags })}
          />
          {plan.type === 'transactions' ? (
            <RulesetField ruleset={plan.ruleset} onChange={(ruleset) => change({ ...plan, ruleset })} />
          ) : null}
          {DESTINATION_KINDS[destination.type].columns ? (
            <ColumnsField
              type={plan.type}
              columns={plan.columns}
              onChange={(columns) => change({ ...plan, columns })}
            />
          ) : null}
        </>
      );
    case 'schedule':
      return <ScheduleStep plan={plan} suggested={suggested} onChange={change} />;
    case 'review':
      return (
        <ReviewStep
          plan={plan}
          name={plan.name ?? suggested}
          destination={destination}
          noteSaved={noteSaved}
          onRefused={onRefused}
        />
      );
  }
}

interface ScheduleStepProps {
  readonly plan: Plan;
  readonly suggested: string;
  readonly onChange: (plan: Plan) => void;
}

/** What the sync is called and when it runs. */
function ScheduleStep({ plan, suggested, onChange }: ScheduleStepProps) {
  return (
    <>
      <TextInput
        label={NEW_SYNC.name}
        description={NEW_SYNC.nameHint}
        value={plan.name ?? suggested}
        maxLength={FIXED_LIMITS.name_characters}
        error={plan.name?.trim() === '' ? NEW_SYNC.nameMissing : undefined}
        onChange={({ currentTarget }) => onChange({ ...plan, name: currentTarget.value })}
      />
      <ScheduleField schedule={plan.schedule} onChange={(schedule) => onChange({ ...plan, schedule })} />
    </>
  );
}

interface TypeStepProps {
  readonly plan: Plan;
  readonly onChange: (plan: Plan) => void;
}

/** What is copied. */
function TypeStep({ plan, onChange }: TypeStepProps) {
  const brokerage = useQuery(me).data?.entitlements.brokerage ?? true;
  const group = useId();
  return (
    <>
      <Fields legend={NEW_SYNC.heading.data}>
        {SYNC_TYPES.map((type) => (
          <Check
            key={type}
            group={group}
            label={NEW_SYNC.types[type].name}
            hint={NEW_SYNC.types[type].hint}
            checked={plan.type === type}
            disabled={type !== 'transactions' && !brokerage}
            onChange={() => onChange(withType(plan, type))}
          />
        ))}
      </Fields>
      {brokerage ? null : <p className={classes.hint}>{NEW_SYNC.professional}</p>}
    </>
  );
}

const WORDS = NEW_SYNC.destinations;

interface DestinationStepProps {
  readonly plan: Plan;
  readonly destinations: readonly Destination[];
  readonly onChange: (plan: Plan) => void;
}

/** Where the rows go: one of the destinations that are ready and free, or a new one. */
function DestinationStep({ plan, destinations, onChange }: DestinationStepProps) {
  const group = useId();
  const holds = ({ type }: Destination) => DESTINATION_KINDS[type].holds.includes(plan.type);
  const rank = (one: Destination) => (!holds(one) ? 2 : isFree(one, plan) ? 0 : 1);
  const sorted = destinations.toSorted((one, other) => rank(one) - rank(other));
  if (!sorted.some(holds)) {
    return <Empty title={WORDS.none} text={WORDS.noneText} action={<MakeButton primary />} />;
  }
  return (
    <>
      <fieldset className={classes.list} aria-label={WORDS.legend}>
        {sorted.map((one) => {
          const obstacle = holds(one) ? obstacleOf(one, plan) : WORDS.wrongType(SYNCS.type[plan.type]);
          const unfinished = holds(one) && one.status !== 'active';
          return (
            <div key={one.id} className={classes.destination}>
              <Check
                group={group}
                label={one.name}
                hint={[destinationTexts(one.type).name, obstacle ?? targetText(one)].join(' · ')}
                checked={plan.destination === one.id && obstacle === null}
                disabled={obstacle !== null}
                onChange={() => onChange(withDestination(plan, one.id, one.type))}
              />
              {unfinished ? (
                <LinkButton size="xs" variant="default" to={APP_PATHS.destination} params={{ id: one.id }}>
                  {one.status === 'incomplete' ? WORDS.finish : WORDS.look}
                </LinkButton>
              ) : null}
            </div>
          );
        })}
      </fieldset>
      <div className={classes.make}>
        <MakeButton />
        <span className={classes.hint}>{`${WORDS.accepts} ${WORDS.makeHint}`}</span>
      </div>
    </>
  );
}

function MakeButton({ primary = false }: { readonly primary?: boolean }) {
  return (
    <LinkButton to={APP_PATHS.newDestination} variant={primary ? 'filled' : 'default'}>
      {WORDS.make}
    </LinkButton>
  );
}

/** Why a destination cannot be chosen, or null. */
function obstacleOf(one: Destination, plan: Plan): string | null {
  if (one.status !== 'active') return WORDS[one.status];
  return isFree(one, plan) ? null : WORDS.inUse;
}
