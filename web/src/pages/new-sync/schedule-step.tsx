import { TextInput } from '@mantine/core';
import { FIXED_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { NEW_SYNC } from '../../text/new-sync.ts';
import { ScheduleField } from '../sync-fields/schedule-field.tsx';
import type { Plan } from './plan.ts';

interface ScheduleStepProps {
  readonly plan: Plan;
  readonly suggested: string;
  readonly onChange: (plan: Plan) => void;
}

/** What the sync is called and when it runs. */
export function ScheduleStep({ plan, suggested, onChange }: ScheduleStepProps) {
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
