import { idParams, pathId } from '../ids.ts';
import { none, type Operation, operation } from '../operation.ts';
import { presentLinkSession } from '../presenters/link-sessions.ts';
import { createLinkSessionBody, linkSessionSchema } from '../schemas/link-sessions.ts';

const path = '/v2/link_sessions';
const scope = 'connections:write';

export const linkSessionOperations: readonly Operation[] = [
  operation({
    id: 'create_link_session',
    summary: 'Start linking a bank; send the person to the url of the answer',
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
    params: none,
    query: none,
    body: createLinkSessionBody,
    response: linkSessionSchema,
    errors: [
      'resource_missing',
      'subscription_required',
      'professional_required',
      'connection_limit',
      'link_session_create_failed',
      'upstream_unavailable',
      'upstream_timeout',
    ],
    handle: async ({ body, caller, services, signal }) =>
      presentLinkSession(
        await services.linkSessions.create(
          caller.accountRecord.id,
          {
            provider: body.provider,
            institution: body.institution ?? null,
            returnUrl: body.return_url,
            metadata: body.metadata ?? null,
            actor: caller,
          },
          signal,
        ),
      ),
  }),
  operation({
    id: 'get_link_session',
    summary: 'Read a link session; poll it until it leaves pending',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('link_session'),
    query: none,
    body: none,
    response: linkSessionSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentLinkSession(
        await services.linkSessions.read(caller.accountRecord.id, pathId('link_session', params.id)),
      ),
  }),
];
