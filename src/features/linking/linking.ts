import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Db } from '../../storage/database.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { Notices } from '../../storage/notices.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EventTrigger } from '../events/event-log.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { AccountImport } from './account-import.ts';
import { NumberMacs } from './account-matching.ts';
import { Accounts } from './accounts.ts';
import { ConnectionRevocation } from './connection-revocation.ts';
import { Connections } from './connections.ts';
import { ConsentChecks } from './consent-checks.ts';
import { Consents } from './consents.ts';
import { CustomerSecrets } from './customer-secrets.ts';
import { EndUsers } from './end-users.ts';
import { HostedLinks } from './hosted-links.ts';
import { Institutions } from './institutions.ts';
import { LinkCompletion } from './link-completion.ts';
import { LinkSessions } from './link-sessions.ts';
import { LinkSecrets } from './link-tokens.ts';
import type { LinkingDependencies, LinkingHooks } from './linking-dependencies.ts';
import { LinkingSecrets } from './linking-secrets.ts';
import { OrphanConsentSweep } from './orphan-consent-sweep.ts';
import { PersonalProviders } from './personal-providers.ts';
import { ProviderSignals } from './provider-signals.ts';
import { StatementConnections } from './statement-connections.ts';
import { VendorPages } from './vendor-pages.ts';

export interface LinkingOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly gateway: ProviderGateway;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly notices: Pick<Notices, 'publish' | 'deliver'>;
  readonly hooks: LinkingHooks;
  readonly events: EventTrigger;
  readonly auditLog: Pick<AuditLog, 'record'>;
  /** The address of the hosted pages, without a trailing slash. */
  readonly publicUrl: string;
  /** The web application, where a renewal returns to by default. */
  readonly appUrl: string;
  /** Who may link a provider with personal credentials; absent or null if the operator has named no one. */
  readonly personalAccount?: OwnerId | null;
}

/** Every feature for linking banks, each built once. */
export interface Linking {
  readonly institutions: Institutions;
  readonly linkSessions: LinkSessions;
  readonly hostedLinks: HostedLinks;
  readonly orphanConsentSweep: OrphanConsentSweep;
  readonly connections: Connections;
  readonly connectionRevocation: ConnectionRevocation;
  readonly consents: Consents;
  readonly consentChecks: ConsentChecks;
  readonly accounts: Accounts;
  readonly accountImport: AccountImport;
  readonly providerSignals: ProviderSignals;
  readonly statementConnections: StatementConnections;
}

/** Builds them and makes the gateway report rejected grants to them. */
export function createLinking(options: LinkingOptions): Linking {
  const { keyring, gateway, notices, appUrl } = options;
  const secrets = new LinkingSecrets(keyring);
  const deps: LinkingDependencies = {
    ...options,
    secrets,
    customerSecrets: new CustomerSecrets({ ...options, secrets }),
    numberMacs: new NumberMacs(keyring),
    personal: new PersonalProviders(options, options.personalAccount ?? null),
  };
  const institutions = new Institutions(deps);
  const accounts = new Accounts(deps);
  const consentChecks = new ConsentChecks({ ...deps, accounts, notices });
  const accountImport = new AccountImport({ ...deps, accounts, consentChecks, notices });
  const links = new LinkSecrets(keyring, 'link_session', 'link');
  const endUsers = new EndUsers(deps);
  const completion = new LinkCompletion(deps);
  const pages = new VendorPages({ ...deps, links, endUsers, completion });
  gateway.providers.onGrantRejected((connection) => consentChecks.grantRejected(connection));
  const linkSessions = new LinkSessions({ ...deps, links, institutions, appUrl });
  return {
    institutions,
    linkSessions,
    hostedLinks: new HostedLinks({
      ...deps,
      links,
      linkSessions,
      pages,
      completion,
      endUsers,
      accountImport,
    }),
    orphanConsentSweep: new OrphanConsentSweep({ ...deps, endUsers }),
    connections: new Connections({ ...deps, notices }),
    connectionRevocation: new ConnectionRevocation({ ...deps, accounts, endUsers, notices }),
    consents: new Consents(deps),
    consentChecks,
    accounts,
    accountImport,
    providerSignals: new ProviderSignals({ ...deps, consentChecks, notices }),
    statementConnections: new StatementConnections({ ...deps, notices }),
  };
}
