import { type Static, Type } from 'typebox';

/** One request and one answer travel over a connection, each a line of JSON no longer than this. */
export const CONTROL_LINE_BYTES = 1024 * 1024;

/** What a command asks a running server to do. */
export const ControlRequest = Type.Object(
  { command: Type.String({ maxLength: 100 }), args: Type.Unknown() },
  { additionalProperties: false },
);
export type ControlRequest = Static<typeof ControlRequest>;

/** What the server says: the command's result, or a failure in the words for a person. */
export const ControlAnswer = Type.Union([
  Type.Object({ ok: Type.Literal(true), result: Type.Unknown() }),
  Type.Object({ ok: Type.Literal(false), message: Type.String(), exit_code: Type.Integer() }),
]);
export type ControlAnswer = Static<typeof ControlAnswer>;
