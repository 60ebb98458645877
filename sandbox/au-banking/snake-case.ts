import { isRecord, type Json, type JsonObject } from '../shared/json.ts';

/** `productCategory` -> `product_category`, `ProductName` -> `product_name`, `CRN` -> `crn`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Deep copy with every member name in the vendor's snake_case. Drops members that are not JSON. */
export function toSnakeCase(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (isRecord(value)) return snakeCaseObject(value);
  return null;
}

/** {@link toSnakeCase} for an object. */
export function snakeCaseObject(value: Record<string, unknown>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [snakeCase(name), toSnakeCase(member)]),
  );
}
