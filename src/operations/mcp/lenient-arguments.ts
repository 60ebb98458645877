import type { Json, JsonSchema } from './json-schema.ts';
import type { Arguments } from './tool.ts';

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * The arguments as the tool takes them. Hosts and models send `null` for what they leave out, and a number as text: where
 * an optional argument takes no null it counts as left out, and where only a number is taken its text is read.
 */
export function lenientArguments({ properties, required = [] }: JsonSchema, args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return [[name, value]];
      if (value === null && !required.includes(name) && !takes(schema, 'null')) return [];
      const isNumeric = takes(schema, 'number') && !takes(schema, 'string');
      return [[name, isNumeric && typeof value === 'string' && NUMBER.test(value) ? Number(value) : value]];
    }),
  );
}

/** Whether a value of the JSON type may match the schema; true where the schema says nothing of types. */
function takes(schema: Json, type: 'null' | 'number' | 'string'): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return true;
  const { anyOf, type: named } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((one) => takes(one, type));
  if ('const' in schema) return typeOf(schema.const) === type;
  if (Array.isArray(schema.enum)) return schema.enum.some((one) => typeOf(one) === type);
  if (named === undefined) return true;
  const types: readonly Json[] = Array.isArray(named) ? named : [named];
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

function typeOf(value: Json | undefined): string {
  return value === null ? 'null' : typeof value;
}
