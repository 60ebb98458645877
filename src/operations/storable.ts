import { LIMITS } from '../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../vocabulary/service-error.ts';

/** Two levels for each one of nested conditions, `{all: […]}`, and some for what they are in. */
const DEEPEST = 2 * LIMITS.rule_condition_depth.max + 20;

/**
 * Refuses what could not be stored, anywhere in a value: a NUL or half a surrogate pair (`param` being its path), or
 * nesting that no operation takes and that would exhaust the stack later (`param` being the member at the top). Raises
 * `parameter_invalid`, and `body_invalid` for nesting outside of any object.
 */
export function refuseUnstorableIn(value: unknown): void {
  const rest: [value: unknown, path: string, depth: number][] = [[value, '', 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [found, at, depth] = next;
    if (typeof found === 'string') refuseUnstorable(found, at);
    if (typeof found !== 'object' || found === null) continue;
    if (depth === DEEPEST) {
      throw tooDeep(at);
    }
    const inArray = Array.isArray(found);
    for (const [key, inner] of Object.entries(found)) {
      if (!inArray) refuseUnstorable(key, at);
      rest.push([inner, pathOf(at, key, inArray), depth + 1]);
    }
  }
}

/** Deep JSON is valid JSON: RFC 8259, section 9, lets a reader set a limit, which the message names. */
function tooDeep(at: string): ServiceError {
  const [param = ''] = at.split(/[.[]/, 1);
  return param === ''
    ? new ServiceError('body_invalid', {
        message: `The body must be a JSON object, at most ${DEEPEST} levels deep.`,
      })
    : invalidParameter(
        param,
        `${param} is nested too deep: the limit is ${DEEPEST} levels of objects and lists.`,
      );
}

function pathOf(at: string, key: string, inArray: boolean): string {
  if (inArray) return `${at}[${key}]`;
  return (at === '' ? key : `${at}.${key}`).slice(0, 120);
}

/** Neither a NUL nor half a surrogate pair can be stored in the database, whatever the field. */
export function refuseUnstorable(text: string, param: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalidParameter(
      param.replaceAll('\0', '').toWellFormed().slice(0, 100),
      'A NUL or a broken character is not allowed in text.',
    );
  }
}
