import type { Static } from 'typebox';
import type { auditEventSchema } from '../schemas/audit-events.ts';
import { EXAMPLE_CREATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const event: Static<typeof auditEventSchema> = {
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

export const auditEventsNoun: Noun = {
  tag: 'audit_events',
  description: 'Who did what to the access to the account record, and from where.',
  resources: {
    audit_event: {
      description:
        'One change of who can do what, one sign-in, export or deletion. Kept for 400 days; it holds no financial data.',
      fields: {
        kind: 'What happened; see the table in the guide to the audit log.',
        detail: 'How somebody proved who they are, of a sign-in.',
        actor: 'Who did it: the kind and the id of the credential, and what it was called at the time.',
        target: 'The id of what was acted on; null where that is the account record itself.',
        network: 'The IPv4 address, or the /64 of the IPv6 address, that the request came from.',
        browser: 'What people call the browser; null for programs.',
        occurrences:
          'How often it happened that day from this network, where such events are counted together.',
        last_at: 'When it happened last.',
      },
      example: event,
    },
  },
  operations: {
    list_audit_events: {
      description: 'Newest first.',
      sent: { kind: 'Only events of this kind.' },
    },
  },
};
