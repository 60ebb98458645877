import { Type } from 'typebox';
import { parsePublicId, type ResourceType, type RowId, resourceLabel } from '../vocabulary/ids.ts';
import { missing } from '../vocabulary/service-error.ts';
import { idOf } from './v2/schema/conventions.ts';

/** Path parameter `:id` of an operation on one object. */
export function idParams(resource: ResourceType) {
  return Type.Object({ id: idOf(resource) });
}

/** The row behind an id in the path. Raises `resource_missing`, the same as for an id that is not there. */
export function pathId<N extends ResourceType>(resource: N, text: string): RowId<N> {
  return readId(resource, text, null);
}

/** The row behind an id in the query or body; `param` names the field (docs/errors.md#resource_missing). */
export function fieldId<N extends ResourceType>(resource: N, text: string, param: string): RowId<N> {
  return readId(resource, text, param);
}

function readId<N extends ResourceType>(resource: N, text: string, param: string | null): RowId<N> {
  const id = parsePublicId(resource, text);
  if (id === null) throw missing(resourceLabel(resource), param);
  return id;
}
