import { RULE_FORM } from '../../text/rules.ts';
import { type LeafDraft, shapeOf } from './draft.ts';
import { errorAt, type FieldError } from './field-errors.ts';
import classes from './ruleset.module.css';
import type { RuleWorld } from './use-rule-world.ts';
import { ValueField } from './value-field.tsx';
import { ValueList } from './value-list.tsx';

interface ValueFieldsProps {
  readonly leaf: LeafDraft;
  /** Of the value in the rule. */
  readonly path: string;
  readonly world: RuleWorld;
  readonly error: FieldError | null;
  readonly onChange: (leaf: LeafDraft) => void;
}

/** What a condition compares with: nothing, one value, both ends of a range, or a list. */
export function ValueFields({ leaf, path, world, error, onChange }: ValueFieldsProps) {
  const [first = '', second = ''] = leaf.texts;
  const message = errorAt(error, path);
  const change = (texts: readonly string[]) => onChange({ ...leaf, texts });
  switch (shapeOf(leaf.operator)) {
    case 'none':
      return <span className={classes.value} />;
    case 'one':
      return (
        <div className={classes.value}>
          <ValueField
            leaf={leaf}
            label={RULE_FORM.value}
            value={first}
            world={world}
            error={message}
            onChange={(text) => change([text])}
          />
        </div>
      );
    case 'range': {
      const isOfSecond = errorAt(error, `${path}[1]`) !== null;
      return (
        <div className={classes.range}>
          <ValueField
            leaf={leaf}
            label={RULE_FORM.lowest}
            value={first}
            world={world}
            error={isOfSecond ? null : message}
            onChange={(text) => change([text, second])}
          />
          <ValueField
            leaf={leaf}
            label={RULE_FORM.highest}
            value={second}
            world={world}
            error={isOfSecond ? message : null}
            onChange={(text) => change([first, text])}
          />
        </div>
      );
    }
    case 'list':
      return (
        <div className={classes.value}>
          <ValueList leaf={leaf} world={world} error={message} onChange={change} />
        </div>
      );
  }
}
