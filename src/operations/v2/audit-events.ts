import { type Static, Type } from 'typebox';
import type { AuditEvent } from '../../storage/audit-events.ts';
import { ACTOR_KIND_NAMES, type ActorKind } from '../../vocabulary/actors.ts';
import { AUDIT_DETAILS, AUDIT_KIND_NAMES } from '../../vocabulary/audit-kinds.ts';
import { publicId, type ResourceType, rowId } from '../../vocabulary/ids.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, exampleId } from './docs/examples.ts';
import { idOf, livemode, moment, nullable, oneOf, resource, timestamp } from './schema/conventions.ts';

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

/** What the id of an actor is the id of. */
const ACTOR_NOUNS: Readonly<Record<ActorKind, ResourceType | null>> = {
  api_key: 'api_key',
  oauth_token: 'oauth_grant',
  session: 'web_session',
  bridge_app: 'simplefin_app',
  operator: null,
  service: null,
};

export function presentAuditEvent(event: AuditEvent): Static<typeof auditEventSchema> {
  const resource = ACTOR_NOUNS[event.actor_kind];
  return {
    id: publicId('audit_event', event.id),
    object: 'audit_event',
    kind: event.kind,
    detail: event.detail,
    actor: {
      type: event.actor_kind,
      id:
        resource === null || event.actor_id === null
          ? null
          : publicId(resource, rowId(resource, event.actor_id)),
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

const eventExample: Static<typeof auditEventSchema> = {
  id: exampleId('audit_event'),
  object: 'audit_event',
  kind: 'api_key.created',
  detail: null,
  actor: { type: 'session', id: exampleId('web_session'), name: 'you@example.com' },
  target: exampleId('api_key'),
  network: '203.0.113.7',
  browser: 'Firefox on Windows',
  occurrences: 1,
  last_at: EXAMPLE_CREATED,
  livemode: true,
  created: EXAMPLE_CREATED,
};

export const auditEventsDocs: Readonly<Record<string, ResourceDocs>> = {
  audit_event: {
    description:
      'One change of who can do what, one sign-in, export or deletion. Kept for 400 days; it holds no financial data.',
    fields: {
      kind: 'What happened; see the table in the guide to the audit log.',
      detail: 'For a sign-in: how the person was authenticated.',
      actor: 'Who did it: the kind and the id of the credential, and what it was called at the time.',
      target: 'The id of what was acted on; null for the account record itself.',
      network: 'The IPv4 address, or the /64 of the IPv6 address, that the request came from.',
      browser: 'What people call the browser; null for programs.',
      occurrences:
        'How often it happened that day from this network, where such events are counted together.',
      last_at: 'When it happened last.',
    },
    example: eventExample,
  },
};

const path = '/v2/audit_events';

export const auditEventOperations: readonly Operation[] = [
  operation({
    id: 'list_audit_events',
    summary: 'List the events of the audit log',
    docs: {
      description: 'Newest first.',
      sent: { kind: 'Only events of this kind.' },
    },
    method: 'GET',
    path,
    scope: 'keys:write',
    tier: 'cheap',
    query: Type.Object({ ...pagingQuery, kind: Type.Optional(oneOf(AUDIT_KIND_NAMES)) }),
    response: listOf(auditEventSchema),
    handle: async (request) => {
      const { caller, services, query } = request;
      const paging = new ListRequest(request, 'list_audit_events', path, query);
      const owner = caller.accountRecord.id;
      return paging.envelope(
        await services.auditLog.list(owner, query.kind ?? null, paging.pageRequest),
        presentAuditEvent,
      );
    },
  }),
];
