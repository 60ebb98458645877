import { randomUUID } from 'node:crypto';
import { type AuBankingSimulator, startAuBankingSimulator } from '../../../../sandbox/au-banking/server.ts';
import { createAuBankingProvider } from '../../../../src/connectors/providers/au-banking/connector.ts';
import { NO_SECRET } from '../../../../src/connectors/providers/customer-secret.ts';
import type {
  ProviderAccess,
  ProviderAccount,
} from '../../../../src/connectors/providers/provider-contract.ts';
import { MemoryCache } from '../../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../../src/features/provider-gateway/provider-gateway.ts';
import {
  GatewaySource,
  type GatewaySourceDependencies,
  type SyncSource,
} from '../../../../src/features/sync-engine/read/sync-source.ts';
import { AddressGuard } from '../../../../src/platform/address-guard.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { Metrics } from '../../../../src/platform/metrics.ts';
import { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { type RowId, rowId } from '../../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';
import { missing } from '../../../../src/vocabulary/service-error.ts';
import { completeConsent } from '../../../support/consent-client.ts';
import { memoryPauses } from '../../provider-gateway/open-gateway.ts';

const never = new AbortController().signal;
const CLIENT = { clientId: 'client-1', clientSecret: 'secret-1' };

type Resolved = Awaited<ReturnType<GatewaySourceDependencies['accounts']['resolve']>>;

/** The simulated bank, read through the real adapter and gateway, as a source of syncs. */
export class Vendor {
  readonly simulator: AuBankingSimulator;
  readonly source: SyncSource;
  readonly #provider: ReturnType<typeof createAuBankingProvider>;
  readonly #gateway: ProviderGateway;
  readonly #http: OutgoingHttp;
  readonly #accounts = new Map<RowId<'account'>, Resolved>();
  readonly #clock: Clock;

  private constructor(simulator: AuBankingSimulator, clock: Clock) {
    this.simulator = simulator;
    this.#clock = clock;
    this.#http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
    const log = createLog({ level: 'silent' });
    const limits = DEFAULT_LIMITS;
    const { url: baseUrl } = simulator;
    const read = { http: this.#http, clock, log, limits, baseUrl, ...CLIENT, version: 'v3' } as const;
    this.#provider = createAuBankingProvider(read);
    this.#gateway = new ProviderGateway({
      providers: new Map([['au_banking', this.#provider]]),
      cache: new MemoryCache(clock, { bytes: 0, ownerBytes: 0 }),
      limits,
      clock,
      log,
      metrics: new Metrics(),
      pauses: memoryPauses(),
    });
    this.source = new GatewaySource({
      gateway: this.#gateway,
      accounts: {
        resolve: async (_owner, id) => this.#accounts.get(id) ?? Promise.reject(missing('account')),
        consentEnded: async () => false,
        lost: async () => new Map(),
      },
    });
  }

  static async open(
    clock: Clock,
    options: { readonly historySyncDelayMs?: number; readonly dataFreshness?: boolean } = {},
  ): Promise<Vendor> {
    const simulator = await startAuBankingSimulator({ ...CLIENT, clock, firstSyncDelayMs: 0, ...options });
    return new Vendor(simulator, clock);
  }

  /** Consents as the customer; the accounts, each with the bank's own id. */
  async link(customer: string): Promise<{ readonly id: RowId<'account'>; readonly upstreamId: string }[]> {
    const { id: person } = await this.#provider.createCustomer(randomUUID(), never);
    const begun = await this.#provider.beginLink(
      {
        customer: person,
        secret: NO_SECRET,
        institution: '88888',
        redirectUri: 'https://app.test/connect/return',
        state: 's1',
        verifier: 'v'.repeat(43),
        renew: null,
      },
      never,
    );
    await completeConsent(begun.url, { customer });
    const consent = this.simulator.control.consents().find(({ endUserId }) => endUserId === person);
    const grant = {
      customer: person,
      secret: NO_SECRET,
      consent: consent?.arrangementId ?? '',
      institution: '88888',
    };
    const listed = await this.#provider.listAccounts(grant, never);
    return listed.map((account) => this.#add(account, grant));
  }

  async close(): Promise<void> {
    await this.#http.close();
    await this.simulator.close();
  }

  #add(listed: ProviderAccount, grant: ProviderAccess) {
    const id = rowId('account', randomUUID());
    const connection = rowId('connection', randomUUID());
    const { timezone, currency } = { timezone: 'Australia/Sydney', currency: listed.currency };
    const readThrough = {
      owner: rowId('account_record', randomUUID()),
      id: connection,
      provider: 'au_banking',
      institution: 'Bank',
      grant,
      caching: false,
    } as const;
    this.#accounts.set(id, {
      account: {
        ...{ name: listed.name, type: listed.type, masked_number: listed.maskedNumber, timezone },
        ...{ provider: 'au_banking', last_seen_at: new Date(this.#clock.now()) },
      },
      connection: { institution_name: 'Bank', created: new Date(this.#clock.now()) },
      gateway: {
        id,
        upstreamId: listed.id,
        type: listed.type,
        balanceSign: null,
        timezone,
        currency,
        connection: readThrough,
      },
    });
    return { id, upstreamId: listed.id };
  }
}
