import { RESOURCE_WORDS } from '../../../operations/v2/docs/common-docs.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { RESOURCE_DOCS } from '../../../operations/v2/docs/reference.ts';
import { OWN_KEYWORDS, withLimits } from '../../../operations/v2/schema/bounds.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../vocabulary/limits.ts';

/**
 * Turns schemas into those of the description: a schema with a name (its `$comment`, see `resource`) becomes a
 * component and a reference to it, so that every resource appears once. Raises when two different schemas share a name.
 */
export class SchemaComponents {
  readonly #limits: Limits;
  readonly #byName = new Map<string, { readonly source: string; readonly schema: JsonObject }>();

  /** `limits`: those that the schemas name. */
  constructor(limits: Limits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** The schema as JSON with references; the named ones inside it are kept. */
  refer(schema: object): unknown {
    return this.#refer(withLimits(schema, this.#limits));
  }

  #refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.#refer(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $comment: name, ...rest }: Record<string, unknown> = { ...schema };
    if (typeof name !== 'string') return this.#members(schema);
    const source = JSON.stringify(rest);
    const known = this.#byName.get(name);
    if (known === undefined) {
      this.#byName.set(name, { source, schema: this.#named(name, this.#members(rest)) });
    } else if (known.source !== source) {
      throw new TypeError(`two different schemas are both named ${name}`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Every component met so far, in alphabetical order. */
  all(): JsonObject {
    const sorted = [...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, { schema }]) => [name, schema]));
  }

  #members(schema: object): JsonObject {
    const members = Object.entries(schema).filter(
      ([key, value]) => value !== undefined && !OWN_KEYWORDS.has(key),
    );
    return Object.fromEntries(members.map(([key, value]) => [key, this.#refer(value)]));
  }

  #named(name: string, schema: JsonObject): JsonObject {
    const docs = RESOURCE_DOCS[name];
    const { properties } = schema;
    const descriptions =
      isObject(properties) && 'object' in properties
        ? { ...RESOURCE_WORDS, ...docs?.fields }
        : (docs?.fields ?? {});
    return {
      ...schema,
      ...(docs?.shape === undefined ? {} : withLimits(docs.shape, this.#limits)),
      ...(isObject(properties) ? { properties: described(properties, descriptions) } : {}),
      ...(docs === undefined ? {} : { description: docs.description, examples: [docs.example] }),
    };
  }
}

/** Properties with their descriptions, where their schemas have none. */
export function described(
  properties: JsonObject,
  descriptions: Readonly<Record<string, string>>,
): JsonObject {
  const entries = Object.entries(properties).map(([field, schema]) => {
    const description = descriptions[field];
    return [field, description === undefined || !isObject(schema) ? schema : { description, ...schema }];
  });
  return Object.fromEntries(entries);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
