import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Ruleset } from '#client';
import { rulesets } from '../api/rulesets.ts';
import { Problem } from '../parts/page-states.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import classes from './transactions.module.css';

/** The ruleset that a rule goes into; null for a new one, which gets the name. */
export interface RulesetChoice {
  readonly ruleset: Ruleset | null;
  readonly name: string;
}

interface RulesetFieldsProps {
  readonly choice: RulesetChoice;
  readonly onChange: (choice: RulesetChoice) => void;
}

const NEW = '';
const MOST_NAME = 200;

/** Where a rule goes: into an existing ruleset, preferably one that a sync uses, or into a new one. */
export function RulesetFields({ choice, onChange }: RulesetFieldsProps) {
  const { data: known, error, refetch } = useQuery(rulesets);
  const preset = useRef(false);
  useEffect(() => {
    // Once: what the person has chosen since must not change when the list is read again.
    if (known === undefined || preset.current) return;
    preset.current = true;
    const used = known.toSorted((a, b) => b.sync_count - a.sync_count)[0];
    if (used !== undefined) onChange({ ruleset: used, name: used.name });
  }, [known, onChange]);
  if (error !== null && known === undefined) return <Problem error={error} again={refetch} />;
  return (
    <>
      {known === undefined || known.length === 0 ? null : (
        <NativeSelect
          label={CATEGORY_CHANGE.ruleset}
          value={choice.ruleset?.id ?? NEW}
          data={[
            ...known.map(({ id, name, sync_count: syncs }) => ({
              value: id,
              label: CATEGORY_CHANGE.rulesetLabel(name, syncs),
            })),
            { value: NEW, label: CATEGORY_CHANGE.newRuleset },
          ]}
          onChange={({ currentTarget }) => {
            const ruleset = known.find(({ id }) => id === currentTarget.value) ?? null;
            onChange({ ruleset, name: ruleset?.name ?? CATEGORY_CHANGE.defaultRuleset });
          }}
        />
      )}
      {choice.ruleset === null ? (
        <TextInput
          label={CATEGORY_CHANGE.rulesetName}
          value={choice.name}
          maxLength={MOST_NAME}
          onChange={({ currentTarget }) => onChange({ ruleset: null, name: currentTarget.value })}
        />
      ) : (
        <p className={classes.note}>
          {choice.ruleset.enabled ? CATEGORY_CHANGE.orderHint : CATEGORY_CHANGE.rulesetOff}
        </p>
      )}
    </>
  );
}
