import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { SYNC_TYPES } from '../../../../src/vocabulary/syncs.ts';
import { me } from '../../api/me.ts';
import { Check } from '../../parts/check.tsx';
import { Fields } from '../../parts/fields.tsx';
import { NEW_SYNC } from '../../text/new-sync.ts';
import classes from './new-sync.module.css';
import { type Plan, withType } from './plan.ts';

interface TypeStepProps {
  readonly plan: Plan;
  readonly onChange: (plan: Plan) => void;
}

/** What is copied. */
export function TypeStep({ plan, onChange }: TypeStepProps) {
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
