import { Type } from 'typebox';
import type { InstitutionPosition } from '../../features/linking/institutions.ts';
import { isProviderIdentifier } from '../../vocabulary/providers.ts';
import { none, type Operation, operation } from '../operation.ts';
import { listOf, pagingQuery, Walk } from '../paging.ts';
import { presentInstitution } from '../presenters/institutions.ts';
import { institutionSchema, providerSchema } from '../schemas/institutions.ts';

const path = '/v2/institutions';

export const institutionOperations: readonly Operation[] = [
  operation({
    id: 'list_institutions',
    summary: 'List banks that can be linked, with their availability now, by name',
    method: 'GET',
    path,
    scope: 'connections:read',
    tier: 'cheap',
    params: none,
    query: Type.Object({
      ...pagingQuery,
      provider: Type.Optional(providerSchema),
      q: Type.Optional(
        Type.String({ maxLength: 200, description: 'Text found anywhere in the name, whatever its case.' }),
      ),
    }),
    body: none,
    response: listOf(institutionSchema),
    errors: ['not_supported', 'upstream_unavailable', 'upstream_timeout'],
    handle: async (request) => {
      const walk = new Walk(request, 'list_institutions', path, request.query);
      const provider = walk.filter('provider') ?? '';
      const at = positionOf(walk);
      const back = walk.token?.direction === 'previous';
      const page = await request.services.institutions.list(
        request.caller.accountRecord.id,
        isProviderIdentifier(provider) ? provider : null,
        walk.filter('q') ?? null,
        { limit: walk.limit, after: back ? null : at, before: back ? at : null },
        request.signal,
      );
      const first = page.items[0];
      const last = page.items.at(-1);
      const url = (direction: 'next' | 'previous', item: InstitutionPosition | undefined) =>
        item === undefined ? null : walk.url(direction, [item.name, item.id]);
      return {
        object: 'list' as const,
        data: page.items.map((institution) => presentInstitution(institution, request.services.publicUrl)),
        next_page_url: page.hasMore ? url('next', last) : null,
        previous_page_url: page.hasPrevious ? url('previous', first) : null,
      };
    },
  }),
];

function positionOf(walk: Walk): InstitutionPosition | null {
  const [name, id] = walk.token?.position ?? [];
  return typeof name === 'string' && typeof id === 'string' ? { name, id } : null;
}
