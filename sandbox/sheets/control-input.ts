import { Type } from 'typebox';

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

export const EditBody = Type.Object({ requests: Type.Array(Type.Unknown(), { minItems: 1 }) }, strict);
export const SpreadsheetBody = Type.Object(
  {
    title: text,
    /** The first row; none for a blank sheet. */
    headers: Type.Optional(Type.Array(Type.String())),
    /** Whether the application may see it; default true. */
    picked: Type.Optional(Type.Boolean()),
  },
  strict,
);
export const ProtectionBody = Type.Object({ protected: Type.Boolean() }, strict);
export const ReadOnlyBody = Type.Object({ read_only: Type.Boolean() }, strict);
export const RefusedTextBody = Type.Object({ text: Type.Union([text, Type.Null()]) }, strict);
export const ScopeBody = Type.Object({ granted: Type.Boolean() }, strict);
