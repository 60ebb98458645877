import { Type } from 'typebox';
import { bare, type ControlRoute } from '../shared/control-api.ts';
import { parseControl } from '../shared/control-input.ts';
import type { NotionControl } from './control.ts';
import { PROPERTY_TYPES } from './records.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const amount = Type.Optional(Type.Integer({ minimum: 0 }));

const PageBody = Type.Object({ title: Type.String(), shared: Type.Boolean() }, strict);
const PropertyBody = Type.Object({ name: text, type: Type.Enum(PROPERTY_TYPES) }, strict);
const DatabaseBody = Type.Object(
  { title: Type.String(), parent: text, properties: Type.Array(PropertyBody) },
  strict,
);
const NameBody = Type.Object({ name: text }, strict);
const RenameBody = Type.Object({ name: text, to: text }, strict);
const MoveBody = Type.Object({ name: text, place: Type.Integer({ minimum: 0 }) }, strict);
const CellBody = Type.Object({ name: text, text: Type.String() }, strict);
const ShareBody = Type.Object({ shared: Type.Boolean() }, strict);
const TrashBody = Type.Object({ in_trash: Type.Boolean() }, strict);
const SettingsBody = Type.Object({ indexLagMs: amount, queryResultLimit: amount, rowLimit: amount }, strict);

/** The control API of this simulator, in addition to what all have (docs/sandbox.md). */
export const CONTROL_ROUTES: readonly ControlRoute<NotionControl>[] = [
  ['GET', /^\/workspace$/, (control) => control.workspace()],
  ['GET', /^\/databases\/([^/]+)\/rows$/, (control, { params: [id = ''] }) => ({ rows: control.rows(id) })],
  [
    'POST',
    /^\/pages$/,
    (control, { body }) => {
      const { title, shared } = parseControl(PageBody, body);
      return { id: control.addPage(title, shared) };
    },
  ],
  [
    'POST',
    /^\/databases$/,
    (control, { body }) => {
      const { title, parent, properties } = parseControl(DatabaseBody, body);
      return { id: control.addDatabase(title, parent, properties) };
    },
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/sources$/,
    (control, { params: [id = ''], body }) => ({
      id: control.addSource(id, parseControl(NameBody, body).name),
    }),
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/rename$/,
    (control, { params: [id = ''], body }) => control.renameDatabase(id, parseControl(NameBody, body).name),
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/properties$/,
    (control, { params: [id = ''], body }) => control.addProperty(id, parseControl(PropertyBody, body)),
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/properties\/rename$/,
    (control, { params: [id = ''], body }) => {
      const { name, to } = parseControl(RenameBody, body);
      control.renameProperty(id, name, to);
    },
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/properties\/move$/,
    (control, { params: [id = ''], body }) => {
      const { name, place } = parseControl(MoveBody, body);
      control.moveProperty(id, name, place);
    },
  ],
  [
    'POST',
    /^\/databases\/([^/]+)\/properties\/remove$/,
    (control, { params: [id = ''], body }) => control.removeProperty(id, parseControl(NameBody, body).name),
  ],
  ['POST', /^\/rows\/([^/]+)\/copy$/, (control, { params: [id = ''] }) => ({ id: control.copyRow(id) })],
  [
    'POST',
    /^\/rows\/([^/]+)\/text$/,
    (control, { params: [id = ''], body }) => {
      const { name, text } = parseControl(CellBody, body);
      control.editText(id, name, text);
    },
  ],
  [
    'POST',
    /^\/items\/([^/]+)\/share$/,
    (control, { params: [id = ''], body }) => control.share(id, parseControl(ShareBody, body).shared),
  ],
  [
    'POST',
    /^\/items\/([^/]+)\/trash$/,
    (control, { params: [id = ''], body }) => control.trash(id, parseControl(TrashBody, body).in_trash),
  ],
  ['POST', /^\/items\/([^/]+)\/purge$/, bare((control, id) => control.purge(id))],
  ['GET', /^\/grants$/, (control) => control.grants()],
  ['POST', /^\/grants\/revoke$/, bare((control) => control.revokeGrants())],
  ['POST', /^\/grants\/expire$/, bare((control) => control.expireTokens())],
  ['POST', /^\/settings$/, (control, { body }) => control.set(parseControl(SettingsBody, body))],
];
