import type { Json, JsonObject } from '../shared/json.ts';
import { json, type Reply, reply } from '../shared/reply.ts';
import type { VendorError } from '../shared/vendor-error.ts';

/** The vendor's envelope for success. */
export function succeeded(members: JsonObject = {}): Reply {
  return json(200, { success: true, ...members });
}

export const item = (value: Json): Reply => succeeded({ item: value });
export const items = (value: readonly Json[]): Reply => succeeded({ items: value });

/** The vendor's answer to a call that it refuses. The calls of OAuth name a code (RFC 6749). */
export function refusal({ status, code, message, headers }: VendorError, oauth: boolean): Reply {
  const body = oauth ? { error: code, error_description: message } : { message };
  return reply(status, JSON.stringify({ success: false, ...body }), headers);
}
