import { type TProperties, type TSchema, Type } from 'typebox';
import { decimalFromMoney, type Money } from '../../vocabulary/money.ts';

/** Shapes every v1 resource shares (docs/v1.md#conventions). */

/** A resource of v1: every field that is not marked optional is present, none is unknown. */
export function shape<T extends TProperties>(fields: T) {
  return Type.Object(fields, { additionalProperties: false });
}

export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
export const textOrNull = orNull(Type.String());
/** An amount, a price or a quantity with all the digits the provider sent. */
export const decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' });
export const decimalOrNull = orNull(decimal);
export const localDay = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
/** ISO 4217, in upper case. */
export const currency = Type.String({ pattern: '^[A-Z]{3}$' });
/** RFC 3339 in UTC with milliseconds. */
export const timestamp = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });

/** `total` is null if it was not counted. */
export function paginationOf<T extends TSchema>(total: T) {
  return shape({ total, limit: Type.Integer(), offset: Type.Integer(), hasMore: Type.Boolean() });
}

export const pagination = paginationOf(Type.Integer());

const MOST_OFFSET = 2_147_483_647;

/** The query parameters of a list in pages. */
export function paging(most: number) {
  return {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_OFFSET })),
  };
}

/** Longer than any id or moment: text beyond it is refused by its length. */
const MOST_CHARACTERS = 200;
const MOST_ID_LIST_CHARACTERS = 4000;

export const idText = Type.String({ maxLength: MOST_CHARACTERS });
/** A required id: empty text counts as missing. */
export const requiredId = Type.String({ minLength: 1, maxLength: MOST_CHARACTERS });
export const momentText = Type.String({ maxLength: MOST_CHARACTERS });
/** Ids separated by commas. */
export const idListText = Type.String({ maxLength: MOST_ID_LIST_CHARACTERS });
/** As `idListText`, where nothing bounds the text but the number of ids in it. */
export const longIdListText = Type.String({ maxLength: 100_000 });

const SIGNED_ZERO = /^-(?=0*(?:\.0*)?$)/;

/** A decimal as v1 writes it: the provider's digits, without a plus and without the minus of zero. */
export function plain(text: string): string {
  return text.replace(/^\+/, '').replace(SIGNED_ZERO, '');
}

/** The provider's decimal, or that of the amount where only the amount is known. */
export function moneyDecimal(text: string | null, money: Money | null): string | null {
  if (text !== null) return plain(text);
  return money === null ? null : decimalFromMoney(money);
}
