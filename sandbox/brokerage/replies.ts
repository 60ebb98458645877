import { type Reply, reply } from '../shared/reply.ts';
import { type WireJson, writeJson } from './wire-json.ts';

/** What the vendor answers when all is well. */
export function reply200(value: WireJson): Reply {
  return reply(200, writeJson(value));
}
