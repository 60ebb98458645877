import type { ProviderInstitution } from '../../connectors/providers/provider-contract.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Page } from '../../vocabulary/paging.ts';
import {
  PROVIDER_IDENTIFIERS,
  type ProviderIdentifier,
  parseProviderRowId,
} from '../../vocabulary/provider-kinds.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';

export interface Institution extends ProviderInstitution {
  readonly provider: ProviderIdentifier;
}

/** The position of a page in the list: name and id of an institution, which need not exist any more. */
export interface InstitutionPosition {
  readonly name: string;
  readonly id: string;
}

export interface InstitutionPageRequest {
  readonly limit: number;
  readonly after: InstitutionPosition | null;
  readonly before: InstitutionPosition | null;
}

/** Banks that can be linked, with what their provider reports about them now (docs/resources.md#institution). */
export class Institutions {
  readonly #gateway: ProviderGateway;
  readonly #personal: LinkingDependencies['personal'];

  constructor({ gateway, personal }: Pick<LinkingDependencies, 'gateway' | 'personal'>) {
    this.#gateway = gateway;
    this.#personal = personal;
  }

  /**
   * Ordered by name, then id. `search` is found anywhere in a name, whatever the case. Without `provider`, the banks of
   * all providers that list institutions. Raises the gateway's errors, `gateway_unavailable` for a provider that is not
   * set up, and `not_supported` (`provider`) for one that lists none, because an incomplete list would suggest that its
   * banks do not exist. To account records that may not link it, a provider with personal credentials looks as if it
   * were not set up.
   */
  async list(
    owner: OwnerId,
    provider: ProviderIdentifier | null,
    search: string | null,
    page: InstitutionPageRequest,
    signal: AbortSignal,
  ): Promise<Page<Institution>> {
    if (provider !== null) await this.#requireOffered(owner, provider);
    const providers = (provider === null ? PROVIDER_IDENTIFIERS : [provider]).filter((each) =>
      this.#gateway.providers.capabilities(each).has('institutions'),
    );
    const lists = await Promise.all(
      providers.map(async (each) => {
        if (!(await this.#personal.mayLink(each, owner))) return [];
        const institutions = await this.#gateway.institutions.read(each, {}, signal);
        return institutions.map((institution) => ({ ...institution, provider: each }));
      }),
    );
    const wanted = fold(search ?? '');
    const found = lists
      .flat()
      .filter(({ name, shortName }) => fold(name).includes(wanted) || fold(shortName).includes(wanted))
      .sort(byNameThenId);
    return cut(found, page);
  }

  async #requireOffered(owner: OwnerId, provider: ProviderIdentifier): Promise<void> {
    this.#gateway.providers.requireProvider(provider);
    if (!(await this.#personal.mayLink(provider, owner)))
      throw new ServiceError('gateway_unavailable', { message: this.#personal.explain(provider) });
    if (!this.#gateway.providers.capabilities(provider).has('institutions')) {
      throw new ServiceError('not_supported', {
        param: 'provider',
        message: `${provider} does not list its banks here. Create a link session: the person picks the bank there.`,
      });
    }
  }

  /**
   * The bank behind an `inst_` id that a caller sent as `param`. Raises `parameter_invalid` when the text is no such id
   * or the bank is not offered, `resource_missing` when the provider has no such bank.
   */
  async require(
    provider: ProviderIdentifier,
    id: string,
    param: 'institution' | 'chosen_institution',
    signal: AbortSignal,
  ): Promise<Institution> {
    const parsed = parseProviderRowId('institution', id);
    if (parsed === null) throw invalidParameter(param, `${param} must be an id from the institutions list.`);
    if (parsed.provider !== provider) throw missing(`institution of ${provider}`, param);
    const all = await this.#gateway.institutions.read(provider, {}, signal);
    const found = all.find((institution) => institution.id === parsed.upstreamId);
    if (found === undefined) throw missing('institution', param);
    if (!found.available)
      throw invalidParameter(param, 'This bank or broker cannot be linked at the moment.');
    return { ...found, provider };
  }
}

/** Comparison form: case and accents do not count. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function cut(
  found: readonly Institution[],
  { limit, after, before }: InstitutionPageRequest,
): Page<Institution> {
  if (before !== null) {
    const newer = found.filter((institution) => byNameThenId(institution, before) < 0);
    return { items: newer.slice(-limit), hasMore: true, hasPrevious: newer.length > limit };
  }
  const older = after === null ? found : found.filter((institution) => byNameThenId(institution, after) > 0);
  return { items: older.slice(0, limit), hasMore: older.length > limit, hasPrevious: after !== null };
}

function byNameThenId(a: InstitutionPosition, b: InstitutionPosition): number {
  if (fold(a.name) !== fold(b.name)) return fold(a.name) < fold(b.name) ? -1 : 1;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}
