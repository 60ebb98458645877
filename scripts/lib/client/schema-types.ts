/** A schema of the API description. */
export type Schema = Readonly<Record<string, unknown>>;

/** Names of types for which that of the component would be misleading: each resource's name in the documentation. */
const RENAMED: Readonly<Record<string, string>> = {
  account: 'AccountRecord',
  account_item: 'Account',
  event: 'ServiceEvent',
};

/** The name of a component's type: `sync_run` is `SyncRun`. */
export function typeName(component: string): string {
  return RENAMED[component] ?? pascal(component);
}

export function pascal(words: string): string {
  return words
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

export function camel(words: string): string {
  const text = pascal(words);
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/**
 * The TypeScript type of a schema of the description, written out at this depth of indentation. Raises for a schema
 * that it does not know, so that no type is wider than the schema by mistake.
 */
export function typeOf(schema: unknown, depth: number): string {
  const { $ref, type, enum: values, anyOf, oneOf, items, properties, patternProperties } = asSchema(schema);
  if (typeof $ref === 'string') return typeName(componentIn($ref));
  if ('const' in asSchema(schema)) return literal(asSchema(schema).const);
  if (Array.isArray(values)) return values.map(literal).join(' | ');
  const either = anyOf ?? oneOf;
  if (Array.isArray(either)) return [...new Set(either.map((one) => typeOf(one, depth)))].join(' | ');
  if (type === 'string') return 'string';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'null') return 'null';
  if (type === 'array') {
    const item = typeOf(items, depth);
    const isUnion = item.replaceAll(/\{[\s\S]*\}|<.*>/g, '').includes(' | ');
    return isUnion ? `readonly (${item})[]` : `readonly ${item}[]`;
  }
  if (isSchema(patternProperties)) {
    const [value] = Object.values(patternProperties);
    return `Readonly<Record<string, ${typeOf(value, depth)}>>`;
  }
  if (isSchema(properties)) return members(asSchema(schema), depth);
  if (type === 'object' || type === undefined) return 'unknown';
  throw new TypeError(`no type for ${JSON.stringify(schema)}`);
}

/** `{ … }` with one member per line and its documentation; an optional one may also be undefined. */
export function members(schema: Schema, depth: number): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const indent = '  '.repeat(depth + 1);
  const lines = Object.entries(asSchema(schema.properties ?? {})).map(([name, member]) => {
    const { description } = asSchema(member);
    const key = /^[a-z_]\w*$/i.test(name) ? name : `'${name}'`;
    const value = typeOf(member, depth + 1);
    return `${comment(description, indent)}${indent}readonly ${key}${required.has(name) ? `: ${value}` : `?: ${value} | undefined`};\n`;
  });
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}

/** A doc comment of this text; empty if there is none. */
export function comment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

/** Every component to which a part of the description refers, each followed by those to which it refers itself. */
export function componentsIn(part: unknown, all: Schema, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(part)) for (const one of part) componentsIn(one, all, found);
  else if (isSchema(part)) {
    for (const [key, value] of Object.entries(part)) {
      if (key === 'example' || key === 'examples') continue;
      if (key !== '$ref' || typeof value !== 'string') componentsIn(value, all, found);
      else if (value.startsWith(COMPONENTS) && !found.has(componentIn(value))) {
        found.add(componentIn(value));
        componentsIn(all[componentIn(value)], all, found);
      }
    }
  }
  return found;
}

const COMPONENTS = '#/components/schemas/';

export function componentIn(reference: string): string {
  return reference.slice(COMPONENTS.length);
}

export function asSchema(value: unknown): Schema {
  if (isSchema(value)) return value;
  throw new TypeError(`not a schema: ${JSON.stringify(value)}`);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
