import { type Static, Type } from 'typebox';
import { consentStatus } from '../../../features/linking/connection-status.ts';
import type { LinkedConnection } from '../../../features/linking/connections.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { PROVIDERS, providerRowId } from '../../../vocabulary/provider-kinds.ts';
import { CONNECTION_STATUSES, CONSENT_STATUSES } from '../../../vocabulary/states.ts';
import type { Services } from '../../services.ts';
import { accountSchema, presentAccount, providerCategory } from '../accounts/resource.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import {
  EXAMPLE_CREATED,
  EXAMPLE_INSTITUTION,
  EXAMPLE_PROVIDER,
  EXAMPLE_UPDATED,
  exampleId,
} from '../docs/examples.ts';
import { institutionSummarySchema, presentInstitutionSummary, providerSchema } from '../institutions.ts';
import {
  idOf,
  livemode,
  metadataPatch,
  metadataShown,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  providerIdOf,
  resource,
  timestamp,
} from '../schema/conventions.ts';

const consentSummary = Type.Object(
  { id: idOf('consent'), status: oneOf(CONSENT_STATUSES), expires_at: nullable(timestamp) },
  { additionalProperties: false },
);

const chosenInstitution = Type.Object(
  { id: providerIdOf('institution'), name: Type.String() },
  { additionalProperties: false },
);

/** docs/resources.md#connection. */
export const connectionSchema = resource('connection', {
  id: idOf('connection'),
  object: Type.Literal('connection'),
  provider: providerSchema,
  category: providerCategory,
  institution: institutionSummarySchema,
  chosen_institution: nullable(chosenInstitution),
  status: oneOf(CONNECTION_STATUSES),
  account_count: Type.Integer({ minimum: 0 }),
  last_refreshed_at: nullable(timestamp),
  consent: nullable(consentSummary),
  accounts: nullable(Type.Array(accountSchema, { description: 'Only with include[]=accounts.' })),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

export const updateConnectionBody = Type.Object({
  metadata: Type.Optional(metadataPatch),
  chosen_institution: Type.Optional(Type.Null()),
});

/** `accounts` only where the caller asked to include them (docs/api-conventions.md#including-more). */
export function presentConnection(
  { connection, consent, status, accounts, duplicates }: LinkedConnection,
  { clock, publicUrl }: Pick<Services, 'clock' | 'publicUrl'>,
  include: ReadonlySet<string>,
): Static<typeof connectionSchema> {
  return {
    id: publicId('connection', connection.id),
    object: 'connection',
    provider: connection.provider,
    category: PROVIDERS[connection.provider].category,
    institution: presentInstitutionSummary(connection, publicUrl),
    chosen_institution: presentChoice(connection),
    status,
    account_count: accounts.length,
    last_refreshed_at: momentOrNull(connection.last_refreshed_at),
    consent:
      consent === null
        ? null
        : {
            id: publicId('consent', consent.id),
            status: consentStatus(consent, clock.now()),
            expires_at: momentOrNull(consent.expires_at),
          },
    accounts: include.has('accounts')
      ? accounts.map((account) =>
          presentAccount({ account, connection, duplicateOf: duplicates.get(account.id) ?? null }, publicUrl),
        )
      : null,
    metadata: connection.metadata,
    livemode: true,
    created: moment(connection.created),
    updated: moment(connection.updated),
  };
}

function presentChoice({
  provider,
  chosen_institution_id: id,
  chosen_institution_name: name,
}: LinkedConnection['connection']): Static<typeof chosenInstitution> | null {
  return id === null ? null : { id: providerRowId('institution', provider, id), name: name ?? id };
}

export const connectionExample: Static<typeof connectionSchema> = {
  id: exampleId('connection'),
  object: 'connection',
  provider: EXAMPLE_PROVIDER,
  category: 'banking',
  institution: EXAMPLE_INSTITUTION,
  chosen_institution: null,
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

export const connectionsDocs: Readonly<Record<string, ResourceDocs>> = {
  connection: {
    description: 'A bank linked under one consent.',
    fields: {
      status:
        'Computed. pending: accounts have not been imported yet; expiring: the consent ends within 30 days; invalidated: ended by the bank.',
      chosen_institution:
        'The bank that was named for the link session, where the person linked another at the vendor; null otherwise, once that bank is linked, and after an update with null.',
      last_refreshed_at:
        'When the provider last copied its data from the bank; where the provider does not say, when its accounts were last listed.',
    },
    example: connectionExample,
  },
};
