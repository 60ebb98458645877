import { useId } from 'react';
import { Check } from '../../parts/check.tsx';
import { RULE_FORM } from '../../text/rules.ts';
import type { RuleDraft } from './draft.ts';
import type { FieldError } from './field-errors.ts';
import { GroupEditor } from './group-editor.tsx';
import type { RuleWorld } from './use-rule-world.ts';

interface ConditionsEditorProps {
  readonly draft: RuleDraft;
  readonly world: RuleWorld;
  readonly error: FieldError | null;
  readonly onChange: (changed: Partial<RuleDraft>) => void;
}

/** Which rows a rule acts on: every one, or those that match a tree of conditions. */
export function ConditionsEditor({ draft, world, error, onChange }: ConditionsEditorProps) {
  const choice = useId();
  return (
    <>
      <div>
        <Check
          label={RULE_FORM.some}
          group={choice}
          checked={!draft.everyRow}
          onChange={() => onChange({ everyRow: false })}
        />
        <Check
          label={RULE_FORM.every}
          group={choice}
          checked={draft.everyRow}
          onChange={() => onChange({ everyRow: true })}
        />
      </div>
      {draft.everyRow ? null : (
        <GroupEditor
          group={draft.root}
          name={null}
          path="conditions"
          world={world}
          error={error}
          onChange={(root) => onChange({ root })}
          onRemove={null}
        />
      )}
    </>
  );
}
