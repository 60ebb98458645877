/** Plain JSON; not read-only, because the types of the SDK take it so. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The schema of an object, as clients are shown it. A type, because an interface is no record to the SDK. */
export type JsonSchema = {
  readonly type: 'object';
  readonly properties: Record<string, Json>;
  readonly required?: string[];
  readonly additionalProperties?: boolean;
};

/** Members of a schema that say nothing to a caller who fills it in. */
const SILENT: ReadonlySet<string> = new Set([
  '$comment',
  'x-service-repeated',
  'x-service-refusal',
  'writeOnly',
]);

/** The schema as plain JSON, without members that only this service uses. */
export function plainSchema(schema: unknown): Json {
  if (schema === null || typeof schema === 'string' || typeof schema === 'boolean') return schema;
  if (typeof schema === 'number') return schema;
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (typeof schema !== 'object') throw new TypeError(`a schema holds a ${typeof schema}`);
  const members = Object.entries(schema).filter(([name, value]) => !SILENT.has(name) && value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, plainSchema(value)]));
}

/** The schema of an object as plain JSON. Raises a TypeError for any other. */
export function plainObjectSchema(schema: unknown): JsonSchema {
  const plain: unknown = plainSchema(schema);
  if (!isObjectSchema(plain)) throw new TypeError('the schema describes something that is no object');
  return plain;
}

function isObjectSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object';
}

/** The schema of an object with these members, closed against others. */
export function objectSchema(properties: Record<string, Json>, required: string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The schema with a description, unless it has one. */
export function describedSchema(schema: Json, description: string | undefined): Json {
  if (description === undefined || !isObject(schema) || 'description' in schema) return schema;
  return { ...schema, description };
}

export function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
