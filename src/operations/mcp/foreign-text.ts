import type { Json } from './json-schema.ts';
import type { Tool } from './tool.ts';

/** In `_meta` of a tool's answer: where text stands that the service did not write, as paths such as `data[].description`. */
export const FOREIGN_TEXT = 'tributary/foreign_text';

/** What only repeats what the service itself made. */
const OUR_OWN: ReadonlySet<string> = new Set(['id', 'object', 'next_page']);
/** Answers with words of this server alone. */
const WITHOUT: ReadonlySet<string> = new Set(['search_tools']);
const FORMS = ['enum', 'const', 'pattern', 'format'] as const;

const found = new WeakMap<Tool, readonly string[]>();

/**
 * Where in the answers of a tool there may be text of a bank, a merchant, a payee or a person: every text whose schema
 * leaves its form open. Hosts show it to their model as data (docs/mcp.md#text-of-others).
 */
export function foreignTextOf(tool: Tool): readonly string[] {
  const known = found.get(tool) ?? (WITHOUT.has(tool.name) ? [] : pathsIn(tool.output, ''));
  found.set(tool, known);
  return known;
}

function pathsIn(schema: Json, path: string): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((one) => pathsIn(one, path)) : [],
  );
  const isText = schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'));
  const own = isText && !FORMS.some((form) => Object.hasOwn(schema, form)) ? [path] : [];
  const items = schema.items === undefined ? [] : pathsIn(schema.items, `${path}[]`);
  const members = [
    ...membersOf(schema.properties).filter(([name]) => !OUR_OWN.has(name)),
    ...membersOf(schema.patternProperties).map(([, one]) => ['*', one] as const),
  ].flatMap(([name, one]) => pathsIn(one, path === '' ? name : `${path}.${name}`));
  return [...new Set([...own, ...branches, ...items, ...members])];
}

function membersOf(properties: Json | undefined): [string, Json][] {
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.entries(properties)
    : [];
}
