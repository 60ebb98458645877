import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';

/** A JSON object as the vendor sent it; nothing about its members is known. */
export type WireObject = Readonly<Record<string, unknown>>;

/** Whether a parsed value is an object; arrays and null are not. */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An answer that cannot be what was asked for. `what` names the member, never its value. */
export function malformed(what: string): UpstreamFailure {
  return new UpstreamFailure('malformed', `The answer could not be used: ${what}.`);
}

/**
 * Parses JSON with every number as its source text: `1.10` stays `1.10`, and no digit of a large number is lost.
 * Slower than JSON.parse by a multiple, so used where numbers matter. Raises UpstreamFailure.
 */
export function parseExact(text: string): unknown {
  return parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  );
}

/** A number of JSON as it was written: what is signed is `10.0`, and a float forgets the zero. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Parses JSON with every number as a {@link NumberText}, so that the same text can be written again. Raises UpstreamFailure. */
export function parseWritten(text: string): unknown {
  return parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value,
  );
}

/** Parses JSON as usual. Good enough where numbers are looked for afterwards. Raises UpstreamFailure. */
export function parsePlain(text: string): unknown {
  return parse(text);
}

function parse(
  text: string,
  reviver?: (key: string, value: unknown, context?: { source?: string }) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw malformed('it is not JSON');
  }
}
