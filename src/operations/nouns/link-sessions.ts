import type { Static } from 'typebox';
import { PROVIDER_IDENTIFIERS, PROVIDERS } from '../../vocabulary/providers.ts';
import type { linkSessionSchema } from '../schemas/link-sessions.ts';
import { EXAMPLE_CREATED, EXAMPLE_INSTITUTION, EXAMPLE_PROVIDER, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

/** Providers whose bank is named before the person is sent there. */
const NAMES_BANK = PROVIDER_IDENTIFIERS.filter((name) => PROVIDERS[name].linksInstitution);

export const linkSessionExample: Static<typeof linkSessionSchema> = {
  id: exampleId('link_session'),
  object: 'link_session',
  provider: EXAMPLE_PROVIDER,
  institution: EXAMPLE_INSTITUTION.id,
  status: 'pending',
  url: 'https://hub.invalid/link/EXAMPLE',
  connection: null,
  return_url: 'https://app.invalid/linked',
  failure_reason: null,
  expires_at: '2026-11-02T03:44:15.926Z',
  completed_at: null,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const linkSessionsNoun: Noun = {
  tag: 'link_sessions',
  description:
    'Linking a bank: create a session, send the person to its url, read it until it leaves pending.',
  resources: {
    link_session: {
      description: "One person's authorisation at a bank's consent. It lives 30 minutes.",
      fields: {
        institution: `An id of the institutions list; only for ${NAMES_BANK.join(' and ')}.`,
        url: 'The hosted page to send the person to.',
        connection: 'Set once completed.',
        return_url:
          'Where the person is sent afterwards, with link_session=completed, or link_session=failed and reason in the query.',
        failure_reason: 'Why it failed, once it has.',
        expires_at: 'When the session can no longer be completed.',
      },
      example: linkSessionExample,
    },
  },
  operations: {
    create_link_session: {
      description: `\`institution\` is required for ${NAMES_BANK.map((name) => `\`${name}\``).join(' and ')}. Needs an active trial or subscription and a free connection slot.`,
      sent: {
        provider: `${PROVIDER_IDENTIFIERS.slice(0, -1).join(', ')} or ${PROVIDER_IDENTIFIERS.at(-1)}.`,
        institution: 'An id of the institutions list.',
      },
      body: {
        provider: EXAMPLE_PROVIDER,
        institution: EXAMPLE_INSTITUTION.id,
        return_url: 'https://app.invalid/linked',
      },
    },
  },
};
