import type { Reply } from '../shared/reply.ts';
import { notFound } from '../shared/vendor-error.ts';
import { uuidOf } from './identity.ts';
import type { BrokerageRequest } from './request.ts';
import type { WireObject } from './wire-json.ts';

export type Broker = {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  enabled: boolean;
  maintenance: boolean;
  degraded: boolean;
};

/** The slug of the broker that every key has in the vendor's sandbox. */
export const SANDBOX_BROKER = 'SANDBOX';

const STANDARD = [
  { slug: SANDBOX_BROKER, name: 'Sandbox Brokerage' },
  { slug: 'MAPLE', name: 'Maple Direct (sandbox)' },
  { slug: 'SLOW-CREEK', name: 'Slow Creek Invest (sandbox)', degraded: true },
  { slug: 'LANTERN', name: 'Lantern Trading (sandbox)', maintenance: true },
  { slug: 'GUILD', name: 'Guild Wealth (sandbox)', enabled: false },
];

/** The brokers that people can connect. */
export class Brokers {
  readonly #brokers: readonly Broker[] = STANDARD.map(({ slug, name, ...state }) => ({
    id: uuidOf('broker', slug),
    slug,
    name,
    enabled: true,
    maintenance: false,
    degraded: false,
    ...state,
  }));

  all(): readonly Broker[] {
    return this.#brokers;
  }

  /** By UUID or slug. */
  get(key: string): Broker | null {
    return this.#brokers.find(({ id, slug }) => id === key || slug === key) ?? null;
  }

  /** Brokers that people may currently choose. */
  connectable(): readonly Broker[] {
    return this.#brokers.filter(({ enabled }) => enabled);
  }

  logo(request: BrokerageRequest): Reply {
    const broker = this.get((request.params.file ?? '').replace(/\.svg$/, ''));
    if (broker === null) throw notFound('1011', 'The requested resource does not exist.');
    return { status: 200, body: logoSvg(broker), headers: { 'content-type': 'image/svg+xml' } };
  }
}

export function logoUrl(pagesUrl: string, { slug }: Broker): string {
  return `${pagesUrl}/assets/brokers/${slug}.svg`;
}

/** A broker as the vendor lists it, and as it is in a connection. */
export function brokerJson(broker: Broker, pagesUrl: string): WireObject {
  return {
    id: broker.id,
    slug: broker.slug,
    name: broker.name,
    display_name: broker.name,
    description: `${broker.name} is simulated.`,
    aws_s3_logo_url: logoUrl(pagesUrl, broker),
    aws_s3_square_logo_url: logoUrl(pagesUrl, broker),
    url: null,
    enabled: broker.enabled,
    maintenance_mode: broker.maintenance,
    is_degraded: broker.degraded,
    allows_trading: false,
    allows_fractional_units: true,
    has_reporting: true,
    is_real_time_connection: false,
    brokerage_type: { id: uuidOf('broker type', 'traditional'), name: 'Traditional Brokerage' },
    exchanges: [],
    open_url: null,
  };
}

function logoSvg({ name }: Broker): string {
  const initials = name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, 2);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">' +
    '<rect width="64" height="64" rx="12" fill="#163a50"/><text x="32" y="41" font-family="sans-serif" ' +
    `font-size="26" font-weight="600" fill="#fff" text-anchor="middle">${initials}</text></svg>`
  );
}
