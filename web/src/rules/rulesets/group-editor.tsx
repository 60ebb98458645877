import { Button, NativeSelect } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { RULE_FORM } from '../../text/rules.ts';
import { type GroupDraft, type NodeDraft, newGroup, newLeaf, pathOf } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import { LeafEditor } from './leaf-editor.tsx';
import classes from './ruleset.module.css';
import type { RuleReferences } from './use-rule-references.ts';

interface GroupEditorProps {
  readonly group: GroupDraft;
  /** What it is called beside its siblings; null for the outermost. */
  readonly name: string | null;
  /** Where it is in the rule, as errors name it. */
  readonly path: string;
  readonly references: RuleReferences;
  readonly error: FieldError | null;
  readonly onChange: (group: GroupDraft) => void;
  readonly onRemove: (() => void) | null;
}

/** The four ways to put conditions together, of which two turn the result around. */
const MATCHES = [
  { value: 'all', match: 'all', negated: false },
  { value: 'any', match: 'any', negated: false },
  { value: 'notAll', match: 'all', negated: true },
  { value: 'none', match: 'any', negated: true },
] as const;

/** Conditions that must all match, or of which one must, with groups among them. */
export function GroupEditor({ group, name, path, references, error, onChange, onRemove }: GroupEditorProps) {
  const { children, match, negated } = group;
  const inside = `${pathOf(group, path)}.${match}`;
  const own = errorAt(error, path);
  // What a child says of itself is not said again for the group around it.
  const isOfChild = children.some((_, at) => errorAt(error, `${inside}[${at}]`) !== null);
  const replace = (at: number, child: NodeDraft) =>
    onChange({ ...group, children: children.with(at, child) });
  const remove = (at: number) => onChange({ ...group, children: children.toSpliced(at, 1) });
  const add = (child: NodeDraft) => onChange({ ...group, children: [...children, child] });
  return (
    <fieldset className={name === null ? classes.root : classes.subgroup}>
      <legend className={name === null ? classes.rootLegend : classes.legend}>
        {name ?? RULE_FORM.conditions}
      </legend>
      <div className={classes.groupHead}>
        <NativeSelect
          label={RULE_FORM.match}
          value={MATCHES.find((one) => one.match === match && one.negated === negated)?.value}
          data={MATCHES.map(({ value }) => ({ value, label: RULE_FORM.matches[value] }))}
          onChange={({ currentTarget }) => {
            const chosen = MATCHES.find(({ value }) => value === currentTarget.value) ?? MATCHES[0];
            onChange({ ...group, match: chosen.match, negated: chosen.negated });
          }}
        />
        {onRemove === null ? null : (
          <Button variant="subtle" color="gray" onClick={onRemove}>
            {RULE_FORM.removeGroup}
          </Button>
        )}
      </div>
      {children.map((child, at) =>
        child.kind === 'group' ? (
          <GroupEditor
            key={child.key}
            group={child}
            name={RULE_FORM.group(at + 1)}
            path={`${inside}[${at}]`}
            references={references}
            error={error}
            onChange={(changed) => replace(at, changed)}
            onRemove={() => remove(at)}
          />
        ) : (
          <LeafEditor
            key={child.key}
            leaf={child}
            at={at}
            path={`${inside}[${at}]`}
            references={references}
            error={error}
            onChange={(changed) => replace(at, changed)}
            onRemove={() => remove(at)}
          />
        ),
      )}
      {own === null || isOfChild ? null : (
        <p className={classes.fault} role="alert">
          {own}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => add(newLeaf())}
        >
          {RULE_FORM.addCondition}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => add(newGroup())}
        >
          {RULE_FORM.addGroup}
        </Button>
      </div>
    </fieldset>
  );
}
