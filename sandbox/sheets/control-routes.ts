import { Type } from 'typebox';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { SheetsControl } from './control.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const EditBody = Type.Object({ requests: Type.Array(Type.Unknown(), { minItems: 1 }) }, strict);
const SpreadsheetBody = Type.Object(
  {
    title: text,
    /** The first row; none for a blank sheet. */
    headers: Type.Optional(Type.Array(Type.String())),
    /** Whether the application may see it; default true. */
    picked: Type.Optional(Type.Boolean()),
  },
  strict,
);
const ProtectionBody = Type.Object({ protected: Type.Boolean() }, strict);
const ReadOnlyBody = Type.Object({ read_only: Type.Boolean() }, strict);
const RefusedTextBody = Type.Object({ text: Type.Union([text, Type.Null()]) }, strict);
const ScopeBody = Type.Object({ granted: Type.Boolean() }, strict);

/** The JSON interface of {@link SheetsControl}; see docs/sandbox.md. */
export const CONTROL_ROUTES: readonly ControlRoute<SheetsControl>[] = [
  ['GET', /^\/spreadsheets$/, (control) => ({ spreadsheets: control.spreadsheets() })],
  [
    'POST',
    /^\/spreadsheets$/,
    (control, { body }) => ({ id: control.addSpreadsheet(parseControl(SpreadsheetBody, body)) }),
  ],
  [
    'GET',
    /^\/spreadsheets\/([^/]+)\/tabs\/(\d+)$/,
    (control, { params: [id = '', tab = ''] }) => ({ rows: control.grid(id, Number(tab)) }),
  ],
  [
    'POST',
    /^\/spreadsheets\/([^/]+)\/edit$/,
    (control, { params: [id = ''], body }) => control.edit(id, parseControl(EditBody, body).requests),
  ],
  [
    'POST',
    /^\/spreadsheets\/([^/]+)\/protection$/,
    (control, { params: [id = ''], body }) =>
      control.setProtected(id, parseControl(ProtectionBody, body).protected),
  ],
  [
    'POST',
    /^\/spreadsheets\/([^/]+)\/read_only$/,
    (control, { params: [id = ''], body }) =>
      control.setReadOnly(id, parseControl(ReadOnlyBody, body).read_only),
  ],
  ['POST', /^\/spreadsheets\/([^/]+)\/trash$/, bare((control, id) => control.setTrashed(id, true))],
  ['POST', /^\/spreadsheets\/([^/]+)\/restore$/, bare((control, id) => control.setTrashed(id, false))],
  ['POST', /^\/spreadsheets\/([^/]+)\/delete$/, bare((control, id) => control.deleteSpreadsheet(id))],
  ['POST', /^\/spreadsheets\/([^/]+)\/pick$/, bare((control, id) => control.setPicked(id, true))],
  ['POST', /^\/spreadsheets\/([^/]+)\/unpick$/, bare((control, id) => control.setPicked(id, false))],
  [
    'POST',
    /^\/refused-text$/,
    (control, { body }) => control.refuseText(parseControl(RefusedTextBody, body).text),
  ],
  ['POST', /^\/scope$/, (control, { body }) => control.setScope(parseControl(ScopeBody, body).granted)],
  ['POST', /^\/revoke$/, bare((control) => control.revokeGrants())],
];
