import { type Static, Type } from 'typebox';
import type { RecordedConsent } from '../../features/linking/consents.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { CONSENT_STATUSES } from '../../vocabulary/states.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_PROVIDER, exampleId } from './docs/examples.ts';
import { providerSchema } from './institutions.ts';
import {
  fieldId,
  idOf,
  idParams,
  livemode,
  moment,
  momentOrNull,
  nullable,
  oneOf,
  pathId,
  resource,
  timestamp,
} from './schema/conventions.ts';

/** docs/resources.md#consent. `connection` may name one that is deleted: the record of a consent outlives it. */
export const consentSchema = resource('consent', {
  id: idOf('consent'),
  object: Type.Literal('consent'),
  connection: idOf('connection'),
  provider: providerSchema,
  status: oneOf(CONSENT_STATUSES),
  purpose: nullable(Type.String()),
  data_categories: Type.Array(Type.String()),
  granted_at: timestamp,
  expires_at: nullable(timestamp),
  withdrawn_at: nullable(timestamp),
  termination_reason: nullable(Type.String({ description: 'Free text for display; never branch on it.' })),
  livemode,
  created: timestamp,
  updated: timestamp,
});

export function presentConsent({ consent, status }: RecordedConsent): Static<typeof consentSchema> {
  return {
    id: publicId('consent', consent.id),
    object: 'consent',
    connection: publicId('connection', consent.connection),
    provider: consent.provider,
    status,
    purpose: consent.purpose,
    data_categories: consent.data_categories,
    granted_at: moment(consent.granted_at),
    expires_at: momentOrNull(consent.expires_at),
    withdrawn_at: momentOrNull(consent.withdrawn_at),
    termination_reason: consent.termination_reason,
    livemode: true,
    created: moment(consent.created),
    updated: moment(consent.updated),
  };
}

const consentExample: Static<typeof consentSchema> = {
  id: exampleId('consent'),
  object: 'consent',
  connection: exampleId('connection'),
  provider: EXAMPLE_PROVIDER,
  status: 'active',
  purpose: 'Budgeting',
  data_categories: ['accounts', 'balances', 'transactions'],
  granted_at: EXAMPLE_CREATED,
  expires_at: '2027-11-02T03:14:15.926Z',
  withdrawn_at: null,
  termination_reason: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const consentsDocs: Readonly<Record<string, ResourceDocs>> = {
  consent: {
    description: 'The record of a consent. It outlives its connection.',
    fields: { expires_at: 'null for brokerage, whose consents do not expire.' },
    example: consentExample,
  },
};

const path = '/v2/consents';
const scope = 'connections:read';

export const consentOperations: readonly Operation[] = [
  operation({
    id: 'list_consents',
    summary: 'List consents, including those that ended',
    method: 'GET',
    path,
    scope,
    tier: 'cheap',
    query: Type.Object({ ...pagingQuery, connection: Type.Optional(idOf('connection')) }),
    response: listOf(consentSchema),
    errors: ['resource_missing'],
    handle: async (request) => {
      const { caller, services } = request;
      const paging = new ListRequest(request, 'list_consents', path, request.query);
      const named = paging.filter('connection');
      const connection = named === undefined ? null : fieldId('connection', named, 'connection');
      const page = await services.consents.list(caller.accountRecord.id, connection, paging.pageRequest);
      return paging.envelope(page, presentConsent);
    },
  }),
  operation({
    id: 'get_consent',
    summary: 'Read a consent',
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'cheap',
    params: idParams('consent'),
    response: consentSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentConsent(await services.consents.read(caller.accountRecord.id, pathId('consent', params.id))),
  }),
];
