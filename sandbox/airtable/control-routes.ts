import { bare, type ControlRoute } from '../shared/control-api.ts';
import { ControlError } from '../shared/control-error.ts';
import { parseControl } from '../shared/control-input.ts';
import type { AirtableControl } from './control.ts';
import {
  BaseBody,
  CellsBody,
  FieldBody,
  MoveBody,
  NameBody,
  PermissionBody,
  PlanBody,
  TableBody,
  TextsBody,
} from './control-input.ts';
import { type FieldType, fieldType } from './field-types.ts';

/** The JSON face of {@link AirtableControl}; see docs/sandbox.md. */
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
