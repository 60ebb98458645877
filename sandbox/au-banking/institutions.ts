import type { JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, enumQuery, requiredQuery } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import type { BankDataset } from './dataset/bank-dataset.ts';
import type { VendorRequest } from './request.ts';

export type InstitutionStatus = 'HEALTHY' | 'DEGRADED' | 'OUTAGE';

export type Institution = {
  readonly id: string;
  readonly name: string;
  readonly industry: 'banking' | 'energy';
  readonly accessible: boolean;
  readonly priority: number;
  status: InstitutionStatus;
};

/** The bank that every vendor account has in its sandbox. */
export const SANDBOX_INSTITUTION = '88888';
export const SANDBOX_INSTITUTION_NAME = 'Banking Sandbox Data Holder';

const STANDARD: readonly Institution[] = [
  {
    id: SANDBOX_INSTITUTION,
    name: SANDBOX_INSTITUTION_NAME,
    industry: 'banking',
    accessible: true,
    priority: 1,
    status: 'HEALTHY',
  },
  {
    id: '90001',
    name: 'Gumtree Mutual (sandbox)',
    industry: 'banking',
    accessible: true,
    priority: 2,
    status: 'HEALTHY',
  },
  {
    id: '90002',
    name: 'Slow River Bank (sandbox)',
    industry: 'banking',
    accessible: true,
    priority: 3,
    status: 'DEGRADED',
  },
  {
    id: '90003',
    name: 'Dark Harbour Bank (sandbox)',
    industry: 'banking',
    accessible: true,
    priority: 4,
    status: 'OUTAGE',
  },
  {
    id: '90004',
    name: 'Members Only Bank (sandbox)',
    industry: 'banking',
    accessible: false,
    priority: 5,
    status: 'HEALTHY',
  },
  {
    id: '70001',
    name: 'Bright Energy (sandbox)',
    industry: 'energy',
    accessible: true,
    priority: 6,
    status: 'HEALTHY',
  },
];

export class Institutions {
  readonly #institutions: readonly Institution[];
  readonly #clientId: string;
  readonly #pagesUrl: () => string;

  /** @param pagesUrl where browsers reach the logos, without a trailing slash */
  constructor(clientId: string, dataset: BankDataset | undefined, pagesUrl: () => string) {
    this.#clientId = clientId;
    this.#pagesUrl = pagesUrl;
    const filed = (dataset?.holders ?? []).map(
      (holder, index): Institution => ({
        id: holder.id,
        name: holder.name,
        industry: 'banking',
        accessible: true,
        priority: 10 + index,
        status: 'HEALTHY',
      }),
    );
    this.#institutions = [...STANDARD.map((institution) => ({ ...institution })), ...filed];
  }

  get(id: string): Institution | null {
    return this.#institutions.find((institution) => institution.id === id) ?? null;
  }

  /** Banks a person can connect. */
  connectable(): readonly Institution[] {
    return this.#institutions.filter(
      (institution) => institution.industry === 'banking' && institution.accessible,
    );
  }

  /** `GET /v1/institutions` */
  list(request: VendorRequest): Reply {
    checkQuery(request.query, ['client_id', 'industry', 'institution_mode']);
    this.#checkClient(requiredQuery(request.query, 'client_id'));
    const industry = enumQuery(request.query, 'industry', ['banking', 'energy']);
    enumQuery(request.query, 'institution_mode', ['recommended']);
    const found = this.#institutions.filter((entry) => industry === null || entry.industry === industry);
    return json(
      200,
      found.map((institution) => this.#toJson(institution)),
    );
  }

  /** `GET /v1/institutions/{id}` */
  read(request: VendorRequest): Reply {
    checkQuery(request.query, ['client_id']);
    const client = request.query.get('client_id');
    if (client !== null) this.#checkClient(client);
    const institution = this.get(request.params.id ?? '');
    if (!institution) throw notFound('institution_not_found', 'institution not found');
    return json(200, this.#toJson(institution));
  }

  /** The address of a bank's logo. */
  logoUrl(id: string): string {
    return `${this.#pagesUrl()}/assets/institutions/${id}.svg`;
  }

  #toJson(institution: Institution): JsonObject {
    return {
      id: institution.id,
      name: institution.name,
      icon: this.logoUrl(institution.id),
      logo: this.logoUrl(institution.id),
      industry: institution.industry,
      is_accessible: institution.accessible,
      priority: institution.priority,
      status: { connections: { status: institution.status } },
    };
  }

  #checkClient(clientId: string): void {
    if (clientId !== this.#clientId)
      throw badRequest('invalid_parameter', 'client_id is not the client of the token');
  }
}

/** The sandbox's logo for a bank: its initials on a tile. */
export function logoSvg(institution: Institution): string {
  const initials = institution.name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">' +
    '<rect width="64" height="64" rx="12" fill="#16504b"/><text x="32" y="41" font-family="sans-serif" ' +
    `font-size="26" font-weight="600" fill="#fff" text-anchor="middle">${initials}</text></svg>`
  );
}
