import type { Static } from 'typebox';
import type { connectionSchema } from '../schemas/connections.ts';
import {
  EXAMPLE_CREATED,
  EXAMPLE_INSTITUTION,
  EXAMPLE_PROVIDER,
  EXAMPLE_UPDATED,
  exampleId,
} from './example-values.ts';
import { linkSessionExample } from './link-sessions.ts';
import type { Noun } from './noun.ts';

const connection: Static<typeof connectionSchema> = {
  id: exampleId('connection'),
  object: 'connection',
  provider: EXAMPLE_PROVIDER,
  category: 'banking',
  institution: EXAMPLE_INSTITUTION,
  status: 'active',
  account_count: 2,
  last_refreshed_at: EXAMPLE_UPDATED,
  consent: { id: exampleId('consent'), status: 'active', expires_at: '2027-11-02T03:14:15.926Z' },
  accounts: null,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

export const connectionsNoun: Noun = {
  tag: 'connections',
  description: 'Linked banks and brokerages.',
  resources: {
    connection: {
      description: 'A bank linked under one consent.',
      fields: {
        status:
          'Computed. pending: accounts have not been imported yet; expiring: the consent ends within 30 days; invalidated: ended by the bank.',
        last_refreshed_at:
          'When the provider last copied its data from the bank; where the provider does not say, when its accounts were last listed.',
      },
      example: connection,
    },
  },
  operations: {
    list_connections: {
      description: 'Revoked connections are listed only where `status[]=revoked` asks for them.',
    },
    update_connection: {
      description: 'A metadata key set to null is removed.',
      body: { metadata: { household: 'Elm Street' } },
    },
    reauthorize_connection: {
      description:
        'The connection and its accounts keep their ids. Takes no connection slot. Without `return_url` the person is sent to the web application.',
      sent: { provider: "The connection's own, if it is named at all." },
      body: { return_url: 'https://app.invalid/renewed' },
      answer: { ...linkSessionExample, connection: connection.id },
    },
    delete_connection: {
      description:
        'Withdraws the consent at the provider, disables the syncs that read the connection and deletes the stored credentials. Data already delivered to destinations stays there.',
    },
    refresh_connection: {
      description: 'Answers the queued runs; a sync that is running already is left alone.',
    },
  },
};
