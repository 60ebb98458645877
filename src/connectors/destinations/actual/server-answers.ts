import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { brokenBound } from '../../../platform/json-bounds.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { noSyncServer } from './failures.ts';

const text = Type.String();
const orNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));
/** 1 for a budget that was deleted. */
const deleted = Type.Union([Type.Number(), Type.Boolean()]);

export const LoginAnswer = Type.Object({ data: Type.Object({ token: text }) });
const BudgetFile = Type.Object({ fileId: text, name: text, deleted });
export type BudgetFile = Static<typeof BudgetFile>;
export const FilesAnswer = Type.Object({ data: Type.Array(BudgetFile) });
const EncryptMeta = Type.Object({ keyId: text, iv: text, authTag: text });
export const InfoAnswer = Type.Object({
  data: Type.Object({
    /** Null while the server waits for the file after a reset. */
    groupId: orNull,
    deleted,
    encryptMeta: Type.Optional(Type.Union([EncryptMeta, Type.Null()])),
  }),
});
export type BudgetInfo = Static<typeof InfoAnswer>['data'];
export const KeyAnswer = Type.Object({ data: Type.Object({ id: orNull, salt: orNull }) });

/** The body as JSON of that form. Raises VendorRefusal for any other: then it is no sync server that answered. */
export function bodyOf<T extends TSchema>(
  answer: OutgoingResponse,
  expect: T,
  limits: Limits,
  origin: string,
): Static<T> {
  const bounds = { depth: limits.answer_depth, values: limits.answer_values };
  const body: unknown = brokenBound(answer.body, bounds) === null ? parsed(answer) : null;
  if (Value.Check(expect, body)) return body;
  throw noSyncServer(answer.status, origin);
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return null;
  }
}
