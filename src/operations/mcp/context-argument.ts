import { InvalidArguments } from './invalid-arguments.ts';
import type { Json } from './json-schema.ts';
import type { Arguments } from './tool.ts';

const MOST_CHARACTERS = 2000;

/** Why the agent asks: some clients send it with every call. Nobody looks at it, and it is stored nowhere. */
export const CONTEXT_SCHEMA: Json = { type: 'string', maxLength: MOST_CHARACTERS };

/** The arguments without `context`. Raises InvalidArguments where it is no text or a long one. */
export function withoutContext(args: Arguments): Arguments {
  if (!Object.hasOwn(args, 'context')) return args;
  const { context, ...rest } = args;
  if (typeof context !== 'string' || context.length > MOST_CHARACTERS) {
    throw new InvalidArguments(`context must be text of at most ${MOST_CHARACTERS} characters.`, 'context');
  }
  return rest;
}
