import type { Static } from 'typebox';
import type { OpenedLinkSession } from '../../features/linking/link-sessions.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { providerRowId } from '../../vocabulary/providers.ts';
import type { linkSessionSchema } from '../schemas/link-sessions.ts';
import { moment, momentOrNull } from './moments.ts';

export function presentLinkSession({
  session,
  status,
  url,
}: OpenedLinkSession): Static<typeof linkSessionSchema> {
  const { institution_id: institution, connection, provider } = session;
  return {
    id: publicId('link_session', session.id),
    object: 'link_session',
    provider,
    institution: institution === null ? null : providerRowId('institution', provider, institution),
    status,
    url,
    connection: connection === null ? null : publicId('connection', connection),
    return_url: session.return_url,
    failure_reason: session.failure_reason,
    expires_at: moment(session.expires_at),
    completed_at: momentOrNull(session.completed_at),
    metadata: session.metadata,
    livemode: true,
    created: moment(session.created),
    updated: moment(session.updated),
  };
}
