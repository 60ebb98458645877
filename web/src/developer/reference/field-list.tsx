import type { Field } from '../../../../src/vocabulary/description/fields.ts';
import { REFERENCE } from '../../text/reference.ts';
import { CodeWords } from '../developer-page.tsx';
import classes from './reference.module.css';

interface FieldListProps {
  readonly fields: readonly Field[];
  /** Whether to mark required ones: for requests, not for responses, where every member is present. */
  readonly required?: boolean;
}

/** Members with their types and meanings. Nested members open below. */
export function FieldList({ fields, required = false }: FieldListProps) {
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={field.name}>
          <div className={classes.fieldHead}>
            <span className={classes.fieldName}>{field.name}</span>
            <span className={classes.type}>{field.type}</span>
            {required && field.required ? (
              <span className={classes.required}>{REFERENCE.required}</span>
            ) : null}
          </div>
          {field.text === '' ? null : (
            <p className={classes.fieldText}>
              <CodeWords text={field.text} />
            </p>
          )}
          <ValueList values={field.values} />
          {field.fields.length === 0 ? null : (
            <details className={classes.members}>
              <summary>{REFERENCE.members(field.name)}</summary>
              <FieldList fields={field.fields} required={required} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

const MOST_VALUES = 24;

export function ValueList({ values }: { readonly values: readonly string[] }) {
  if (values.length < 2) return null;
  const rest = values.length - MOST_VALUES;
  return (
    <p className={classes.values}>
      {`${REFERENCE.oneOf}: `}
      <CodeWords
        text={values
          .slice(0, MOST_VALUES)
          .map((value) => `\`${value}\``)
          .join(', ')}
      />
      {rest > 0 ? ` ${REFERENCE.moreValues(rest)}` : null}
    </p>
  );
}
