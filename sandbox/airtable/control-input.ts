import { Type } from 'typebox';
import { FIELD_TYPES } from './field-types.ts';
import { PERMISSIONS } from './workspace.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const count = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);
const fieldTypes = Object.entries(FIELD_TYPES).map(([name]) => name);

export const FieldTypeName = Type.String({ pattern: `^(?:${fieldTypes.join('|')})$` });
export const NameBody = Type.Object({ name: text }, strict);
export const PermissionBody = Type.Object(
  { permission: Type.Union(PERMISSIONS.map((permission) => Type.Literal(permission))) },
  strict,
);
export const BaseBody = Type.Object(
  { name: text, permission: Type.Optional(PermissionBody.properties.permission) },
  strict,
);
export const CellsBody = Type.Object({ cells: Type.Record(Type.String(), Type.Unknown()) }, strict);
export const MoveBody = Type.Object({ to: Type.Integer({ minimum: 0 }) }, strict);
export const PlanBody = Type.Object(
  {
    callsPerMonth: Type.Optional(count),
    whenSpent: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('slow')])),
    recordsPerBase: Type.Optional(count),
  },
  strict,
);
const options = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
export const TableBody = Type.Object(
  {
    name: text,
    fields: Type.Array(Type.Object({ name: text, type: FieldTypeName, options }, strict), { minItems: 1 }),
  },
  strict,
);
export const FieldBody = Type.Object({ type: FieldTypeName, options }, strict);
export const TextsBody = Type.Object({ texts: Type.Array(Type.String()) }, strict);
