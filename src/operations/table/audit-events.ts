import { Type } from 'typebox';
import { AUDIT_KIND_NAMES } from '../../vocabulary/audit-kinds.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentAuditEvent } from '../presenters/audit-events.ts';
import { auditEventSchema } from '../schemas/audit-events.ts';
import { oneOf } from '../schemas/conventions.ts';

const path = '/v2/audit_events';

export const auditEventOperations: readonly Operation[] = [
  operation({
    id: 'list_audit_events',
    summary: 'List the events of the audit log',
    method: 'GET',
    path,
    scope: 'keys:write',
    tier: 'cheap',
    params: none,
    query: Type.Object({ ...pagingQuery, kind: Type.Optional(oneOf(AUDIT_KIND_NAMES)) }),
    body: none,
    response: listOf(auditEventSchema),
    handle: async (request) => {
      const { caller, services, query } = request;
      const walk = new Walk(request, 'list_audit_events', path, query);
      const owner = caller.accountRecord.id;
      return walk.envelope(
        await services.auditLog.list(owner, query.kind ?? null, walk.pageRequest),
        presentAuditEvent,
      );
    },
  }),
];
