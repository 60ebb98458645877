import type { SetAsideRows } from '../features/provider-gateway/gateway-types.ts';
import type { RowPlace, SortedPage, SortedPageRequest } from '../features/reads/sorted-page.ts';
import type { RowId } from '../vocabulary/ids.ts';
import { invalidParameter, ServiceError } from '../vocabulary/service-error.ts';
import type { ListEnvelope, ListRequest } from './paging.ts';
import { fieldId } from './v2/schema/conventions.ts';
import { presentSetAside, type SetAsideMember } from './v2/set-aside-rows.ts';

/** The account whose rows a list shows. Raises `parameter_missing`, `resource_missing`. */
export function listedAccount(paging: ListRequest): RowId<'account'> {
  // Checked here and not by the schema: a page token includes its account.
  const named = paging.filter('account');
  if (named === undefined) {
    throw new ServiceError('parameter_missing', { param: 'account', message: 'account is required.' });
  }
  return fieldId('account', named, 'account');
}

/** What a token contains besides the position, so that the defaults of a list stay the same from page to page. */
export function carried(paging: ListRequest): readonly (string | null)[] {
  return paging.token?.position.slice(2) ?? [];
}

/** The page of provider rows that is asked for. Raises `parameter_invalid` (`page`). */
export function listedPage({ limit, token }: ListRequest): SortedPageRequest {
  if (token === null) return { limit, after: null, before: null };
  const [by, id] = token.position;
  if (by == null || id == null) throw invalidParameter('page', 'page is not a token of this list.');
  const place = { by, id };
  return token.direction === 'previous'
    ? { limit, after: null, before: place }
    : { limit, after: place, before: null };
}

/** The envelope of a page of provider rows, each shown by `present`. `carry`: see `carried`. */
export function listRows<T, Shown>(
  paging: ListRequest,
  page: SortedPage<T> & { readonly setAside: SetAsideRows },
  { placeOf, carry }: { readonly placeOf: (row: T) => RowPlace; readonly carry: readonly string[] },
  present: (row: T) => Shown,
): ListEnvelope<Shown> & { readonly set_aside: SetAsideMember[] } {
  const at = (direction: 'next' | 'previous', row: T | undefined, there: boolean): string | null => {
    if (row === undefined || !there) return null;
    const { by, id } = placeOf(row);
    return paging.url(direction, [by, id, ...carry]);
  };
  return {
    object: 'list',
    data: page.rows.map(present),
    next_page_url: at('next', page.rows.at(-1), page.hasMore),
    previous_page_url: at('previous', page.rows[0], page.hasPrevious),
    set_aside: presentSetAside(page.setAside),
  };
}
