import { useId } from 'react';
import type { Destination } from '#client';
import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Check } from '../../parts/fields.tsx';
import { Empty } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { SYNCS } from '../../text/syncs.ts';
import { targetText } from '../destinations/target-text.ts';
import classes from './new-sync.module.css';
import { type Plan, withDestination } from './plan.ts';
import { isFree } from './use-plan.ts';

const WORDS = NEW_SYNC.destinations;

interface DestinationStepProps {
  readonly plan: Plan;
  readonly destinations: readonly Destination[];
  readonly onChange: (plan: Plan) => void;
}

/** Where the rows go: one of the destinations that are ready and free, or a new one. */
export function DestinationStep({ plan, destinations, onChange }: DestinationStepProps) {
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
                hint={[DESTINATION_KINDS[one.type].texts.name, obstacle ?? targetText(one)].join(' · ')}
                checked={plan.destination === one.id && obstacle === null}
                disabled={obstacle !== null}
                onChange={() => onChange(withDestination(plan, one.id, one.type))}
              />
              {unfinished ? (
                <LinkButton size="xs" variant="default" to={PATHS.destination} params={{ id: one.id }}>
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
    <LinkButton to={PATHS.newDestination} variant={primary ? 'filled' : 'default'}>
      {WORDS.make}
    </LinkButton>
  );
}

/** Why a destination cannot be chosen, or null. */
function obstacleOf(one: Destination, plan: Plan): string | null {
  if (one.status !== 'active') return WORDS[one.status];
  return isFree(one, plan) ? null : WORDS.inUse;
}
