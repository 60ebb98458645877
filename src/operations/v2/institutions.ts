import { type Static, Type } from 'typebox';
import type { Institution, InstitutionPosition } from '../../features/linking/institutions.ts';
import { initialsUrl, logoUrl } from '../../vocabulary/logo-url.ts';
import {
  isProviderIdentifier,
  PROVIDER_IDENTIFIERS,
  type ProviderIdentifier,
  providerRowId,
} from '../../vocabulary/provider-kinds.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_INSTITUTION, EXAMPLE_PROVIDER } from './docs/examples.ts';
import { nullable, oneOf, providerIdOf, resource } from './schema/conventions.ts';

export const providerSchema = oneOf(PROVIDER_IDENTIFIERS);

/** docs/resources.md#institution. */
export const institutionSchema = resource('institution', {
  id: providerIdOf('institution'),
  object: Type.Literal('institution'),
  provider: providerSchema,
  name: Type.String(),
  short_name: Type.String(),
  logo: Type.String({ format: 'uri' }),
  available: Type.Boolean(),
  status: nullable(oneOf(['ONLINE', 'OUTAGE'])),
});

/** The institution inside a connection or an account. */
export const institutionSummarySchema = resource('institution_summary', {
  id: providerIdOf('institution'),
  name: Type.String(),
  logo: Type.String({ format: 'uri' }),
});

export function presentInstitution(
  institution: Institution,
  publicUrl: string,
): Static<typeof institutionSchema> {
  return {
    id: providerRowId('institution', institution.provider, institution.id),
    object: 'institution',
    provider: institution.provider,
    name: institution.name,
    short_name: institution.shortName,
    logo: logoUrl(institution.logo, publicUrl) ?? initialsUrl(institution.name, publicUrl),
    available: institution.available,
    status: institution.status,
  };
}

/** The institution as a connection and its accounts carry it. */
export function presentInstitutionSummary(
  connection: {
    readonly provider: ProviderIdentifier;
    readonly institution_id: string;
    readonly institution_name: string;
    readonly institution_logo: string | null;
  },
  publicUrl: string,
): Static<typeof institutionSummarySchema> {
  return {
    id: providerRowId('institution', connection.provider, connection.institution_id),
    name: connection.institution_name,
    logo:
      logoUrl(connection.institution_logo, publicUrl) ?? initialsUrl(connection.institution_name, publicUrl),
  };
}

const institutionExample: Static<typeof institutionSchema> = {
  ...EXAMPLE_INSTITUTION,
  object: 'institution',
  provider: EXAMPLE_PROVIDER,
  short_name: 'Wattle',
  available: true,
  status: 'ONLINE',
};

export const institutionsDocs: Readonly<Record<string, ResourceDocs>> = {
  institution: {
    description:
      'A bank. `available` with status OUTAGE is normal during an outage: a session is created, and consent may not complete until the bank recovers.',
    fields: {
      logo: 'Address of a picture: the logo of the provider, or one with the initials that the service makes.',
      available: 'Whether the service offers the bank for linking at all.',
      status: 'What the provider reports now; null when unknown.',
    },
    example: institutionExample,
  },
};

const path = '/v2/institutions';

export const institutionOperations: readonly Operation[] = [
  operation({
    id: 'list_institutions',
    summary: 'List banks that can be linked, with their availability now, by name',
    method: 'GET',
    path,
    scope: 'connections:read',
    tier: 'cheap',
    query: Type.Object({
      ...pagingQuery,
      provider: Type.Optional(providerSchema),
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Text found anywhere in the name, whatever its case.' }),
      ),
    }),
    response: listOf(institutionSchema),
    errors: ['not_supported', 'upstream_unavailable', 'upstream_timeout'],
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_institutions', path, request.query);
      const provider = paging.filter('provider') ?? '';
      const at = positionOf(paging);
      const back = paging.token?.direction === 'previous';
      const page = await request.services.institutions.list(
        request.caller.accountRecord.id,
        isProviderIdentifier(provider) ? provider : null,
        paging.filter('q') ?? null,
        { limit: paging.limit, after: back ? null : at, before: back ? at : null },
        request.signal,
      );
      const first = page.items[0];
      const last = page.items.at(-1);
      const url = (direction: 'next' | 'previous', item: InstitutionPosition | undefined) =>
        item === undefined ? null : paging.url(direction, [item.name, item.id]);
      return {
        object: 'list' as const,
        data: page.items.map((institution) => presentInstitution(institution, request.services.publicUrl)),
        next_page_url: page.hasMore ? url('next', last) : null,
        previous_page_url: page.hasPrevious ? url('previous', first) : null,
      };
    },
  }),
];

function positionOf(paging: ListRequest): InstitutionPosition | null {
  const [name, id] = paging.token?.position ?? [];
  return typeof name === 'string' && typeof id === 'string' ? { name, id } : null;
}
