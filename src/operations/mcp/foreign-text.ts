import { isObject, type Json } from './json-schema.ts';
import type { Tool } from './tool.ts';

/**
 * In `_meta` of a tool's result: where it contains text that others may have written, as paths such as
 * `data[].description`. A path that leads to an object means every name and every text in it.
 */
export const FOREIGN_TEXT = 'tributary/foreign_text';

/** Of a failure, whose message may name a bank or repeat what a vendor said. */
export const FOREIGN_IN_FAILURES: readonly string[] = ['error.message'];

/** The token of the next page, issued by the service. */
const OUR_OWN: ReadonlySet<string> = new Set(['next_page']);
/** Contains only text of this server. */
const WITHOUT: ReadonlySet<string> = new Set(['search_tools']);

const found = new WeakMap<Tool, readonly string[]>();

/**
 * Where in the answers of a tool there may be text of a bank, a merchant, a payee or a person: every text whose schema
 * leaves room for words. Hosts show it to their model as data (docs/mcp.md#untrusted-text).
 */
export function foreignTextOf(tool: Tool): readonly string[] {
  const known = found.get(tool) ?? (WITHOUT.has(tool.name) ? [] : pathsIn(tool.output, ''));
  found.set(tool, known);
  return known;
}

/** The paths below which a schema leaves room for words that the service did not choose. */
export function pathsIn(schema: Json, path: string): readonly string[] {
  if (!isObject(schema)) return [];
  if (isOpenObject(schema)) return [path];
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list.flatMap((one) => pathsIn(one, path)) : [],
  );
  const own = hasRoomForWords(schema) ? [path] : [];
  const items = schema.items === undefined ? [] : pathsIn(schema.items, `${path}[]`);
  const members = Object.entries(membersOf(schema))
    .filter(([name]) => path !== '' || !OUR_OWN.has(name))
    .flatMap(([name, one]) => pathsIn(one, path === '' ? name : `${path}.${name}`));
  return [...new Set([...own, ...branches, ...items, ...members])];
}

/** Whether the schema names the members of its objects without fixing them: names are text as well. */
function isOpenObject(schema: { readonly [name: string]: Json }): boolean {
  const { type, patternProperties, additionalProperties } = schema;
  return type === 'object' && (patternProperties !== undefined || additionalProperties !== false);
}

function membersOf({ properties }: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return properties !== undefined && isObject(properties) ? properties : {};
}

/** Formats that consist of digits and a few marks. */
const CLOSED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'uuid']);

/**
 * From `^` to `$`: characters as they are, digits without end, and letters of a given number and nothing between them.
 * A wildcard, an exclusion, and letters or separators without end leave room for a sentence.
 */
const CLOSED_PATTERN =
  /^\^(?:[\w#:-]|\\[d.]|\\d\+|[()|]|\)\?|-\?|\[(?:\w-\w|\d)+\](?!\+|\*)|\{\d{1,2}\})*\$$/;

/** Whether a value of the schema itself, not of its members, can hold words that its maker chose. */
export function hasRoomForWords(schema: { readonly [name: string]: Json }): boolean {
  const { type, enum: values, const: only, pattern, format } = schema;
  if (values !== undefined || only !== undefined) return false;
  if (type === undefined) return !['anyOf', 'oneOf', 'allOf'].some((branch) => Object.hasOwn(schema, branch));
  if (type !== 'string' && !(Array.isArray(type) && type.includes('string'))) return false;
  if (typeof pattern === 'string') return !isClosedPattern(pattern);
  return typeof format !== 'string' || !CLOSED_FORMATS.has(format);
}

function isClosedPattern(pattern: string): boolean {
  return pattern.split(/\|(?=\^)/).every((alternative) => CLOSED_PATTERN.test(alternative));
}
