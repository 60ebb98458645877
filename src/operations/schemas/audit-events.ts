import { Type } from 'typebox';
import { ACTOR_KIND_NAMES } from '../../vocabulary/actors.ts';
import { AUDIT_DETAILS, AUDIT_KIND_NAMES } from '../../vocabulary/audit-kinds.ts';
import { idOf, livemode, nullable, oneOf, resource, timestamp } from './conventions.ts';

/** docs/audit-log.md. */
export const auditEventSchema = resource('audit_event', {
  id: idOf('audit_event'),
  object: Type.Literal('audit_event'),
  kind: oneOf(AUDIT_KIND_NAMES),
  detail: nullable(oneOf(AUDIT_DETAILS)),
  actor: Type.Object(
    {
      type: oneOf(ACTOR_KIND_NAMES),
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    },
    { additionalProperties: false },
  ),
  target: nullable(Type.String()),
  network: nullable(Type.String()),
  browser: nullable(Type.String()),
  occurrences: Type.Integer({ minimum: 1 }),
  last_at: timestamp,
  livemode,
  created: timestamp,
});
