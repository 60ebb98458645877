import type { TObject, TSchema } from 'typebox';
import { schemaType } from '../../operations/parameters.ts';

const INTEGER = /^-?\d{1,15}$/;
const NOTHING = {};

/**
 * The parameters of a query string that the schema knows, each of the schema's type: `limit=5` becomes an integer,
 * `includePending=true` a boolean. Text that is not of that type stays text, and a parameter given twice becomes a list;
 * the schema refuses both. Names that it lacks are left out.
 */
export function readQuery(search: string, schema: TObject): Readonly<Record<string, unknown>> {
  if (search === '') return NOTHING;
  const values = new Map<string, unknown>();
  for (const [name, text] of new URLSearchParams(search)) {
    if (!Object.hasOwn(schema.properties, name)) continue;
    const property: TSchema | undefined = schema.properties[name];
    if (property === undefined) continue;
    values.set(name, values.has(name) ? [values.get(name), text] : typed(text, schemaType(property)));
  }
  return Object.fromEntries(values);
}

function typed(text: string, type: string | null): unknown {
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
