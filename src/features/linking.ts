import type { Clock } from '../platform/clock.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Db } from '../storage/database.ts';
import type { Jobs } from '../storage/jobs.ts';
import type { Notices } from '../storage/notices.ts';
import type { Limits } from '../vocabulary/limits.ts';
import { Accounts } from './accounts.ts';
import { AccountsLanding } from './accounts-landing.ts';
import { ConnectionRevocation } from './connection-revocation.ts';
import { Connections } from './connections.ts';
import { ConsentChecks } from './consent-checks.ts';
import { Consents } from './consents.ts';
import type { EventTrigger } from './event-trigger.ts';
import { HostedLinks } from './hosted-links.ts';
import { Institutions } from './institutions.ts';
import { LinkCompletion } from './link-completion.ts';
import { LinkSessions } from './link-sessions.ts';
import { LinkSettlement } from './link-settlement.ts';
import { LinkTokens } from './link-tokens.ts';
import type { LinkingDependencies } from './linking-dependencies.ts';
import type { LinkingHooks } from './linking-hooks.ts';
import { LinkingSecrets } from './linking-secrets.ts';
import { NumberMacs } from './number-macs.ts';
import { ProviderCustomers } from './provider-customers.ts';
import type { ProviderGateway } from './provider-gateway/provider-gateway.ts';

export interface LinkingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly gateway: ProviderGateway;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly notices: Pick<Notices, 'publish'>;
  readonly hooks: LinkingHooks;
  readonly events: EventTrigger;
  /** Where the hosted pages are reached, without a slash at the end. */
  readonly publicUrl: string;
  /** The web application, where a renewal returns to by default. */
  readonly appUrl: string;
}

/** Every feature between a person and their bank, each built once. */
export interface Linking {
  readonly institutions: Institutions;
  readonly linkSessions: LinkSessions;
  readonly hostedLinks: HostedLinks;
  readonly linkSettlement: LinkSettlement;
  readonly connections: Connections;
  readonly connectionRevocation: ConnectionRevocation;
  readonly consents: Consents;
  readonly consentChecks: ConsentChecks;
  readonly accounts: Accounts;
  readonly accountsLanding: AccountsLanding;
}

/** Builds them and has the gateway report rejected grants to them. */
export function createLinking(options: LinkingOptions): Linking {
  const { keyring, gateway, notices, appUrl } = options;
  const deps: LinkingDependencies = {
    ...options,
    secrets: new LinkingSecrets(keyring),
    tokens: new LinkTokens(keyring, 'link_session', 'link-token'),
    numberMacs: new NumberMacs(keyring),
  };
  const institutions = new Institutions(deps);
  const accounts = new Accounts(deps);
  const consentChecks = new ConsentChecks({ ...deps, accounts, notices });
  const accountsLanding = new AccountsLanding({ ...deps, accounts, consentChecks });
  const customers = new ProviderCustomers(deps);
  const completion = new LinkCompletion(deps);
  gateway.onGrantRejected((connection) => consentChecks.grantRejected(connection));
  return {
    institutions,
    linkSessions: new LinkSessions({ ...deps, institutions, appUrl }),
    hostedLinks: new HostedLinks({ ...deps, customers, completion, landing: accountsLanding }),
    linkSettlement: new LinkSettlement({ ...deps, customers }),
    connections: new Connections(deps),
    connectionRevocation: new ConnectionRevocation({ ...deps, accounts, notices }),
    consents: new Consents(deps),
    consentChecks,
    accounts,
    accountsLanding,
  };
}
