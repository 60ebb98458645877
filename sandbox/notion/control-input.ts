import { Type } from 'typebox';
import { PROPERTY_TYPES } from './records.ts';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const amount = Type.Optional(Type.Integer({ minimum: 0 }));

export const PageBody = Type.Object({ title: Type.String(), shared: Type.Boolean() }, strict);
export const PropertyBody = Type.Object({ name: text, type: Type.Enum(PROPERTY_TYPES) }, strict);
export const DatabaseBody = Type.Object(
  { title: Type.String(), parent: text, properties: Type.Array(PropertyBody) },
  strict,
);
export const NameBody = Type.Object({ name: text }, strict);
export const RenameBody = Type.Object({ name: text, to: text }, strict);
export const MoveBody = Type.Object({ name: text, place: Type.Integer({ minimum: 0 }) }, strict);
export const CellBody = Type.Object({ name: text, text: Type.String() }, strict);
export const ShareBody = Type.Object({ shared: Type.Boolean() }, strict);
export const TrashBody = Type.Object({ in_trash: Type.Boolean() }, strict);
export const SettingsBody = Type.Object(
  { indexLagMs: amount, queryResultLimit: amount, rowLimit: amount },
  strict,
);
