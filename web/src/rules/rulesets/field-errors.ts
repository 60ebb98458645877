import { ApiError } from '#client';

/** Why the service refused a rule, and which of its members is at fault. */
export interface FieldError {
  /** As the rule itself would name it: `conditions.all[0].value`. */
  readonly path: string;
  readonly message: string;
}

/**
 * The member of this rule that the service refused, or null if it refused something else. A preview sends all rules
 * and calls the one at `place` `rules[place]`.
 */
export function fieldErrorOf(error: unknown, place: number): FieldError | null {
  if (!(error instanceof ApiError) || error.param === null) return null;
  const prefix = `rules[${place}].`;
  const { param, message } = error;
  const path = param.startsWith(prefix) ? param.slice(prefix.length) : param;
  if (!/^(?:name|conditions|actions)\b/.test(path)) return null;
  // The path means nothing to those who see the field it is about.
  const rest = message.startsWith(param) ? message.slice(param.length).replace(/^:?\s*/, '') : message;
  return { path, message: capitalised(rest) };
}

/** What is wrong with the member at `path`, or with something inside it. */
export function errorAt(error: FieldError | null, path: string): string | null {
  if (error === null) return null;
  const isInside = error.path.startsWith(path) && /^(?:$|[.[])/.test(error.path.slice(path.length));
  return isInside ? error.message : null;
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
