import { nameIn } from './described-operation.ts';
import type { Description, Schema } from './description-document.ts';

/** A member of a body or of an answer, for people to read. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
  /** Its possible values, if that is a short list. */
  readonly values: readonly string[];
  readonly fields: readonly Field[];
}

type Schemas = Description['components']['schemas'];

/** How deep a recursive resource is shown. */
const DEEPEST = 4;

/** The members of what the schema describes; of a list, those of its items. */
export function fieldsOf(schema: Schema, schemas: Schemas): readonly Field[] {
  const item = itemOf(schema, schemas);
  return membersOf(item ?? schema, schemas, 0);
}

/** The name of what a response contains, `transaction`, and whether it is a list. */
export function nameOf(schema: Schema, schemas: Schemas): { readonly name: string; readonly list: boolean } {
  const item = itemOf(schema, schemas);
  return { name: typeOf(item ?? schema, schemas), list: item !== null };
}

function itemOf(schema: Schema, schemas: Schemas): Schema | null {
  const { properties } = resolved(schema, schemas);
  return properties?.next_page_url === undefined ? null : (properties.data?.items ?? null);
}

function membersOf(schema: Schema, schemas: Schemas, depth: number): readonly Field[] {
  if (depth > DEEPEST) return [];
  const { properties, required = [], items, anyOf, oneOf } = resolved(schema, schemas);
  if (properties !== undefined) {
    return Object.entries(properties).map(([name, member]) =>
      fieldOf(name, member, { required: required.includes(name), schemas, depth }),
    );
  }
  if (items !== undefined) return membersOf(items, schemas, depth);
  const choices = (anyOf ?? oneOf ?? []).filter((one) => !isNull(one));
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return membersOf(only, schemas, depth);
  return choices.flatMap((choice) => {
    const fields = membersOf(choice, schemas, depth + 1);
    return fields.length === 0
      ? []
      : [{ name: kindOf(choice, schemas), type: 'object', required: false, text: '', values: [], fields }];
  });
}

function fieldOf(
  name: string,
  schema: Schema,
  { required, schemas, depth }: { required: boolean; schemas: Schemas; depth: number },
): Field {
  const full = resolved(schema, schemas);
  return {
    name,
    type: typeOf(schema, schemas),
    required,
    text: schema.description ?? full.description ?? '',
    values: valuesOf(schema, schemas),
    fields: membersOf(schema, schemas, depth + 1),
  };
}

/** The type in the words of JSON: `string`, `array of integer`, `consent or null`. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  const { type, items, const: only, enum: values, anyOf, oneOf } = schema;
  if (items !== undefined) return `array of ${typeOf(items, schemas)}`;
  if (type !== undefined) return type;
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, schemas)))].join(' or ');
  return values !== undefined || only !== undefined ? 'string' : 'any';
}

export function valuesOf(schema: Schema, schemas: Schemas): readonly string[] {
  const { enum: values, const: only, items, anyOf } = resolved(schema, schemas);
  if (values !== undefined) return values.map(String);
  if (only !== undefined) return [String(only)];
  if (items !== undefined) return valuesOf(items, schemas);
  return (anyOf ?? []).flatMap((one) => valuesOf(one, schemas));
}

/** What distinguishes one of several shapes: the value of its first fixed member. */
function kindOf(schema: Schema, schemas: Schemas): string {
  const { properties = {} } = resolved(schema, schemas);
  const fixed = Object.values(properties).flatMap((member) => valuesOf(member, schemas))[0];
  return fixed ?? Object.keys(properties)[0] ?? typeOf(schema, schemas);
}

function isNull({ type }: Schema): boolean {
  return type === 'null';
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  return schemas[nameIn(schema.$ref)] ?? schema;
}
