import { Type } from 'typebox';
import { type Noun, nounLabel, parsePublicId, type RowId } from '../vocabulary/ids.ts';
import { missing } from '../vocabulary/service-error.ts';
import { idOf } from './v2/schema/conventions.ts';

/** Path parameter `:id` of an operation on one object. */
export function idParams(noun: Noun) {
  return Type.Object({ id: idOf(noun) });
}

/** The row behind an id in the path. Raises `resource_missing`, the same as for an id that is not there. */
export function pathId<N extends Noun>(noun: N, text: string): RowId<N> {
  return readId(noun, text, null);
}

/** The row behind an id in the query or body; `param` names the field (docs/errors.md#resource_missing). */
export function fieldId<N extends Noun>(noun: N, text: string, param: string): RowId<N> {
  return readId(noun, text, param);
}

function readId<N extends Noun>(noun: N, text: string, param: string | null): RowId<N> {
  const id = parsePublicId(noun, text);
  if (id === null) throw missing(nounLabel(noun), param);
  return id;
}
