import type { Json, JsonObject } from '../shared/json.ts';
import { invalid } from './errors.ts';

/** Selected members, each with its nested ones; empty means all of it. */
interface FieldMask {
  readonly [member: string]: FieldMask;
}

/** Parses `a,b(c,d/e),f.g`. Null for `*`: everything. */
export function fieldMask(text: string): FieldMask | null {
  let at = 0;
  const list = (): Record<string, FieldMask> => {
    const members: Record<string, FieldMask> = {};
    for (;;) {
      const [name = ''] = /^[\w*]+/.exec(text.slice(at)) ?? [];
      if (name === '') throw invalid(`Invalid value at 'fields': ${text.slice(at, at + 20)}`);
      at += name.length;
      members[name] = { ...members[name], ...inside() };
      if (text[at] !== ',') return members;
      at += 1;
    }
  };
  const inside = (): FieldMask => {
    if (text[at] === '(') {
      at += 1;
      const members = list();
      if (text[at] !== ')') throw invalid("Invalid value at 'fields': a parenthesis is open.");
      at += 1;
      return members;
    }
    if (text[at] !== '/' && text[at] !== '.') return {};
    at += 1;
    const [name = ''] = /^\w+/.exec(text.slice(at)) ?? [];
    at += name.length;
    return { [name]: inside() };
  };
  const members = list();
  if (at < text.length) throw invalid(`Invalid value at 'fields': ${text.slice(at, at + 20)}`);
  return Object.hasOwn(members, '*') ? null : members;
}

export function selects(mask: FieldMask | null, ...path: readonly string[]): boolean {
  let now: FieldMask | null = mask;
  for (const name of path) {
    if (now === null || Object.keys(now).length === 0) return true;
    const next: FieldMask | undefined = now[name];
    if (next === undefined) return false;
    now = next;
  }
  return true;
}

/** What a mask selects of an answer. @param known possible members, to refuse misspelt ones */
export function masked(value: JsonObject, mask: FieldMask | null): JsonObject {
  return mask === null ? value : Object.fromEntries(entriesOf(value, mask));
}

function entriesOf(value: JsonObject, mask: FieldMask): [string, Json][] {
  return Object.entries(mask).flatMap(([name, inner]): [string, Json][] => {
    const found = value[name];
    return found === undefined ? [] : [[name, pruned(found, inner)]];
  });
}

function pruned(value: Json, mask: FieldMask): Json {
  if (Object.keys(mask).length === 0 || value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((one) => pruned(one, mask));
  return Object.fromEntries(entriesOf(value, mask));
}

const isList = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);
