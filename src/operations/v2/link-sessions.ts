import { type Static, Type } from 'typebox';
import type { OpenedLinkSession } from '../../features/linking/link-sessions.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { LINKED_PROVIDERS, PROVIDERS, providerRowId } from '../../vocabulary/provider-kinds.ts';
import { LINK_SESSION_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_INSTITUTION, EXAMPLE_PROVIDER, exampleId } from './docs/examples.ts';
import { providerSchema } from './institutions.ts';
import { refusedAs } from './schema/bounds.ts';
import {
  idOf,
  idParams,
  livemode,
  metadataInput,
  metadataShown,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  pathId,
  providerIdOf,
  resource,
  returnUrl,
  timestamp,
} from './schema/conventions.ts';

/** docs/resources.md#link-session. */
export const linkSessionSchema = resource('link_session', {
  id: idOf('link_session'),
  object: Type.Literal('link_session'),
  provider: providerSchema,
  institution: nullable(providerIdOf('institution')),
  chosen_institution: nullable(providerIdOf('institution')),
  status: oneOf(LINK_SESSION_STATUSES),
  url: Type.String(),
  connection: nullable(idOf('connection')),
  return_url: Type.String(),
  failure_reason: nullable(Type.String()),
  expires_at: nullable(timestamp),
  completed_at: nullable(timestamp),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

function institutionAs(param: string) {
  return Type.Optional(
    nullable(
      providerIdOf('institution', {
        maxLength: 300,
        ...refusedAs('parameter_invalid', `${param} must be an id from the institutions list.`),
      }),
    ),
  );
}

export const createLinkSessionBody = Type.Object({
  provider: providerSchema,
  institution: institutionAs('institution'),
  chosen_institution: institutionAs('chosen_institution'),
  return_url: returnUrl,
  metadata: Type.Optional(nullable(metadataInput)),
});

export const reauthorizeBody = Type.Object({
  provider: Type.Optional(nullable(providerSchema)),
  return_url: Type.Optional(nullable(returnUrl)),
  metadata: Type.Optional(nullable(metadataInput)),
});

export function presentLinkSession({
  session,
  status,
  url,
}: OpenedLinkSession): Static<typeof linkSessionSchema> {
  const { institution_id: bank, connection, provider } = session;
  const institution = bank === null ? null : providerRowId('institution', provider, bank);
  const { linksInstitution } = PROVIDERS[provider];
  return {
    id: publicId('link_session', session.id),
    object: 'link_session',
    provider,
    institution: linksInstitution ? institution : null,
    chosen_institution: linksInstitution ? null : institution,
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

/** Providers whose bank is named before the person is sent there. */
const NAMES_BANK = LINKED_PROVIDERS.filter((name) => PROVIDERS[name].linksInstitution);

export const linkSessionExample: Static<typeof linkSessionSchema> = {
  id: exampleId('link_session'),
  object: 'link_session',
  provider: EXAMPLE_PROVIDER,
  institution: EXAMPLE_INSTITUTION.id,
  chosen_institution: null,
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

export const linkSessionsDocs: Readonly<Record<string, ResourceDocs>> = {
  link_session: {
    description: "One person's authorisation at a bank's consent. It lives 30 minutes.",
    fields: {
      institution: `An id of the institutions list; only for ${NAMES_BANK.join(' and ')}.`,
      chosen_institution:
        "For the other providers, the bank at which the vendor's page begins, if one was chosen before.",
      url: 'The hosted page to send the person to.',
      connection: 'Set once completed.',
      metadata: 'Your own pairs; each connection that the session makes begins with them.',
      return_url:
        'Where the person is sent afterwards, with link_session=completed, or link_session=failed and reason in the query.',
      failure_reason: 'Why it failed, once it has.',
      expires_at: 'When the session can no longer be completed.',
    },
    example: linkSessionExample,
  },
};

const path = '/v2/link_sessions';
const scope = 'connections:write';

export const linkSessionOperations: readonly Operation[] = [
  operation({
    id: 'create_link_session',
    summary: 'Start linking a bank; send the person to the url of the answer',
    docs: {
      description: `\`institution\` is required for ${NAMES_BANK.map((name) => `\`${name}\``).join(' and ')} and refused elsewhere, where the person chooses on the vendor's page. It begins at \`chosen_institution\`, if that is sent; if they link another bank, the connection has it in \`chosen_institution\`. Needs an active trial or subscription and a free connection slot.`,
      sent: {
        provider: `${LINKED_PROVIDERS.slice(0, -1).join(', ')} or ${LINKED_PROVIDERS.at(-1)}.`,
        institution: 'An id of the institutions list.',
        chosen_institution:
          'An id of the institutions list, for providers that do not take institution: the bank that the person has chosen.',
      },
      body: {
        provider: EXAMPLE_PROVIDER,
        institution: EXAMPLE_INSTITUTION.id,
        return_url: 'https://app.invalid/linked',
      },
    },
    method: 'POST',
    path,
    scope,
    tier: 'mutating',
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
            chosenInstitution: body.chosen_institution ?? null,
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
    response: linkSessionSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentLinkSession(
        await services.linkSessions.read(caller.accountRecord.id, pathId('link_session', params.id)),
      ),
  }),
];
