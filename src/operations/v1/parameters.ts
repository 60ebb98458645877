import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import { V1Refusal } from './refusal.ts';

/**
 * A parser from values by name to what the schema describes. Names that it lacks are ignored, as they always were in v1.
 * Raises the refusal `parameters_invalid`, with `details` of every parameter at fault.
 */
export function v1Parser<T extends TObject>(schema: T): (values: unknown) => Static<T> {
  const validator = Compile(schema);
  const check = (values: unknown): values is Static<T> => validator.Check(values);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    field: Compile(field),
    isRequired: required.has(name),
  }));
  return (values) => {
    if (check(values)) return values;
    const given = new Map(Object.entries(Object(values)));
    const details: Record<string, string[]> = {};
    for (const { name, field, isRequired } of fields) {
      const value = given.get(name);
      if (value === undefined && isRequired) details[name] = ['is required'];
      if (value !== undefined && !field.Check(value)) details[name] = faultsOf(field.Errors(value));
    }
    const [[name, [fault]] = ['', ['']]] = Object.entries(details);
    throw new V1Refusal('parameters_invalid', `Invalid parameters: ${name} ${fault}.`, details);
  };
}

function faultsOf(errors: readonly { readonly message: string }[]): string[] {
  return [...new Set(errors.map(({ message }) => message))];
}
