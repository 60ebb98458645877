import { readdirSync, readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';

/** By path (`data[].id`), what is there: a type, or `one of …`, with `or null` or `or absent` behind it. */
export type Golden = Readonly<Record<string, string>>;

const FOLDER = new URL('../golden/', import.meta.url);

export function goldenOf(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'));
}

export function goldenNames(): string[] {
  return readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''));
}

/** The shape that a schema describes, in the form of a golden file. */
export function goldenOfSchema(schema: TSchema, path = ''): Golden {
  const found: Record<string, string> = {};
  const inner: unknown = 'anyOf' in schema ? notNull(schema.anyOf) : schema;
  if (!isRecord(inner)) throw new TypeError(`no type at ${path}`);
  const isNullable = inner !== schema;
  if (path !== '') found[path] = `${typeOf(inner, path)}${isNullable ? ' or null' : ''}`;
  if (inner.type === 'array' && isRecord(inner.items))
    Object.assign(found, goldenOfSchema(inner.items, `${path}[]`));
  const required = new Set(Array.isArray(inner.required) ? inner.required : []);
  for (const [name, property] of Object.entries(isRecord(inner.properties) ? inner.properties : {})) {
    if (!isRecord(property)) throw new TypeError(`no schema of ${name}`);
    const at = path === '' ? name : `${path}.${name}`;
    const below = goldenOfSchema(property, at);
    Object.assign(found, below, required.has(name) ? {} : { [at]: `${below[at]} or absent` });
  }
  return found;
}

function notNull(branches: unknown): unknown {
  return Array.isArray(branches)
    ? branches.find((branch) => isRecord(branch) && branch.type !== 'null')
    : undefined;
}

function typeOf(schema: Readonly<Record<string, unknown>>, path: string): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (typeof schema.type !== 'string') throw new TypeError(`no type at ${path}`);
  return schema.type;
}

/** Where a value departs from its golden file. `seen` gets every path that was met, with what was there. */
export function departures(
  golden: Golden,
  value: unknown,
  seen: Set<string> = new Set(),
  path = '',
): string[] {
  const faults: string[] = [];
  if (path !== '') {
    const wanted = golden[path];
    if (wanted === undefined) return [`${path} is not in the golden file`];
    seen.add(path);
    if (!fits(wanted, value)) faults.push(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, not ${wanted}`);
  }
  // What is in `details` of a failure is named after the parameters at fault.
  if (path === 'error.details') return faults;
  if (Array.isArray(value))
    for (const item of value) faults.push(...departures(golden, item, seen, `${path}[]`));
  else if (isRecord(value)) {
    const prefix = path === '' ? '' : `${path}.`;
    for (const [name, inner] of Object.entries(value))
      faults.push(...departures(golden, inner, seen, `${prefix}${name}`));
    for (const [at, wanted] of Object.entries(golden)) {
      const name = at.slice(prefix.length);
      if (!at.startsWith(prefix) || /[.[]/.test(name) || name === '') continue;
      if (!Object.hasOwn(value, name) && !wanted.endsWith(' or absent')) faults.push(`${at} is missing`);
    }
  }
  return faults;
}

function fits(wanted: string, value: unknown): boolean {
  const type = wanted.replace(/ or absent$/, '').replace(/ or null$/, '');
  if (value === null) return / or null/.test(wanted);
  if (type.startsWith('one of ')) return type.slice('one of '.length).split(', ').includes(String(value));
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value) && !Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  return typeof value === type;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
