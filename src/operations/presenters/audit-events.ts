import type { Static } from 'typebox';
import type { AuditEvent } from '../../storage/audit-events.ts';
import type { ActorKind } from '../../vocabulary/actors.ts';
import { type Noun, publicId, rowId } from '../../vocabulary/ids.ts';
import type { auditEventSchema } from '../schemas/audit-events.ts';
import { moment } from './moments.ts';

/** What the id of an actor is the id of. */
const ACTOR_NOUNS: Readonly<Record<ActorKind, Noun | null>> = {
  api_key: 'api_key',
  oauth_token: 'oauth_grant',
  session: 'web_session',
  bridge_app: 'simplefin_app',
  operator: null,
  service: null,
};

export function presentAuditEvent(event: AuditEvent): Static<typeof auditEventSchema> {
  const noun = ACTOR_NOUNS[event.actor_kind];
  return {
    id: publicId('audit_event', event.id),
    object: 'audit_event',
    kind: event.kind,
    detail: event.detail,
    actor: {
      type: event.actor_kind,
      id: noun === null || event.actor_id === null ? null : publicId(noun, rowId(noun, event.actor_id)),
      name: event.actor_name,
    },
    target: event.target,
    network: event.network === '' ? null : event.network,
    browser: event.browser,
    occurrences: event.occurrences,
    last_at: moment(event.last_at),
    livemode: true,
    created: moment(event.created),
  };
}
