import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { describeV2 } from '../../src/surfaces/v2/openapi/description.ts';

/** JSON looked into member by member; what is not there reads as undefined. */
export type Json = ReturnType<typeof JSON.parse>;

let described: Json;

/** The description of v2 as a client reads it, made once for the process. */
export function description(): Json {
  described ??= JSON.parse(JSON.stringify(describeV2(OPERATIONS, 'https://tributary.invalid')));
  return described;
}

/** What a reference of the description leads to; anything else as it is. */
export function resolved(value: Json): Json {
  const reference = value?.$ref;
  if (typeof reference !== 'string') return value;
  const found = reference
    .slice(2)
    .split('/')
    .reduce((place, part) => place?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], description());
  if (found === undefined) throw new Error(`the description lacks ${reference}`);
  return found;
}
