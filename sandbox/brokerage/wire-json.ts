import { type Reply, reply } from '../shared/reply.ts';

/** A number as its digits: the vendor writes amounts as JSON numbers, with more digits than a float holds. */
export class Figure {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A JSON value as the vendor writes it. */
export type WireJson = string | number | boolean | null | Figure | readonly WireJson[] | WireObject;
export type WireObject = { readonly [member: string]: WireJson };

/** A figure, or null if there is none. */
export function figure(digits: string | null): Figure | null {
  return digits === null ? null : new Figure(digits);
}

function writeJson(value: WireJson): string {
  if (value instanceof Figure) return value.digits;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  );
  return `{${members.join(',')}}`;
}

function isList(value: readonly WireJson[] | WireObject): value is readonly WireJson[] {
  return Array.isArray(value);
}

/** The vendor's answer on success. */
export function reply200(value: WireJson): Reply {
  return reply(200, writeJson(value));
}
