import { Type } from 'typebox';
import { ControlError } from '../shared/control.ts';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { AirtableControl } from './control.ts';
import { FIELD_TYPES, type FieldType, fieldType } from './field-types.ts';
import { PERMISSIONS } from './workspace.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const count = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);
const fieldTypes = Object.entries(FIELD_TYPES).map(([name]) => name);

const FieldTypeName = Type.String({ pattern: `^(?:${fieldTypes.join('|')})$` });
const NameBody = Type.Object({ name: text }, strict);
const PermissionBody = Type.Object(
  { permission: Type.Union(PERMISSIONS.map((permission) => Type.Literal(permission))) },
  strict,
);
const BaseBody = Type.Object(
  { name: text, permission: Type.Optional(PermissionBody.properties.permission) },
  strict,
);
const CellsBody = Type.Object({ cells: Type.Record(Type.String(), Type.Unknown()) }, strict);
const MoveBody = Type.Object({ to: Type.Integer({ minimum: 0 }) }, strict);
const PlanBody = Type.Object(
  {
    callsPerMonth: Type.Optional(count),
    whenSpent: Type.Optional(Type.Union([Type.Literal('refuse'), Type.Literal('slow')])),
    recordsPerBase: Type.Optional(count),
  },
  strict,
);
const options = Type.Optional(Type.Record(Type.String(), Type.Unknown()));
const TableBody = Type.Object(
  {
    name: text,
    fields: Type.Array(Type.Object({ name: text, type: FieldTypeName, options }, strict), { minItems: 1 }),
  },
  strict,
);
const FieldBody = Type.Object({ type: FieldTypeName, options }, strict);
const TextsBody = Type.Object({ texts: Type.Array(Type.String()) }, strict);

/** The JSON interface of {@link AirtableControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<AirtableControl>[] = [
  ['GET', /^\/bases$/, (control) => ({ bases: control.bases() })],
  [
    'POST',
    /^\/bases$/,
    (control, { body }) => {
      const { name, permission } = parseControl(BaseBody, body);
      return { id: control.addBase(name, permission) };
    },
  ],
  [
    'POST',
    /^\/bases\/([^/]+)\/permission$/,
    (control, { params: [id = ''], body }) =>
      control.setPermission(id, parseControl(PermissionBody, body).permission),
  ],
  ['POST', /^\/bases\/([^/]+)\/delete$/, bare((control, id) => control.deleteBase(id))],
  [
    'POST',
    /^\/bases\/([^/]+)\/tables$/,
    (control, { params: [id = ''], body }) => {
      const { name, fields } = parseControl(TableBody, body);
      const columns = fields.map((field) => ({ ...field, type: typeOf(field.type) }));
      return { id: control.addTable(id, name, columns) };
    },
  ],
  [
    'GET',
    /^\/tables\/([^/]+)\/records$/,
    (control, { params: [id = ''] }) => ({ records: control.records(id) }),
  ],
  [
    'POST',
    /^\/tables\/([^/]+)\/records$/,
    (control, { params: [id = ''], body }) => ({
      id: control.addRecord(id, parseControl(CellsBody, body).cells),
    }),
  ],
  [
    'POST',
    /^\/tables\/([^/]+)\/rename$/,
    (control, { params: [id = ''], body }) => control.renameTable(id, parseControl(NameBody, body).name),
  ],
  ['POST', /^\/tables\/([^/]+)\/delete$/, bare((control, id) => control.deleteTable(id))],
  [
    'POST',
    /^\/records\/([^/]+)\/edit$/,
    (control, { params: [id = ''], body }) => control.editRecord(id, parseControl(CellsBody, body).cells),
  ],
  [
    'POST',
    /^\/records\/([^/]+)\/copy$/,
    (control, { params: [id = ''] }) => ({ id: control.copyRecord(id) }),
  ],
  ['POST', /^\/records\/([^/]+)\/delete$/, bare((control, id) => control.deleteRecord(id))],
  [
    'POST',
    /^\/fields\/([^/]+)\/rename$/,
    (control, { params: [id = ''], body }) => control.renameField(id, parseControl(NameBody, body).name),
  ],
  [
    'POST',
    /^\/fields\/([^/]+)\/move$/,
    (control, { params: [id = ''], body }) => control.moveField(id, parseControl(MoveBody, body).to),
  ],
  [
    'POST',
    /^\/fields\/([^/]+)\/type$/,
    (control, { params: [id = ''], body }) => {
      const { type, options } = parseControl(FieldBody, body);
      control.retypeField(id, typeOf(type), options);
    },
  ],
  ['POST', /^\/fields\/([^/]+)\/delete$/, bare((control, id) => control.deleteField(id))],
  ['POST', /^\/grants\/revoke$/, bare((control) => control.revokeGrants())],
  ['POST', /^\/plan$/, (control, { body }) => control.setPlan(parseControl(PlanBody, body))],
  ['POST', /^\/refusals$/, (control, { body }) => control.refuseTexts(parseControl(TextsBody, body).texts)],
  ['GET', /^\/usage$/, (control) => control.usage()],
  ['GET', /^\/rows$/, (control) => ({ rows: control.rows() })],
];

function typeOf(name: string): FieldType {
  const type = fieldType(name);
  if (type === null) throw new ControlError('There is no such type of column.');
  return type;
}
