import { type Clock, ShiftedClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import { pendingMigrations } from '../../storage/migrator.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Access } from '../access/create-access.ts';
import type { AccountRemoval } from '../account-removal/account-removal.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EncryptionRotation } from '../encryption/encryption-rotation.ts';
import type { ConnectedApps } from '../oauth/connected-apps.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import type { SignInFeatures } from '../sign-in/create-sign-in.ts';
import { OperatorAccounts } from './account-records.ts';
import { OperatorApps } from './apps.ts';
import type { Backups } from './backups.ts';
import { FirstStart } from './first-start.ts';
import { type InspectedIntegration, Inspection } from './inspection.ts';
import { type Moved, moveToPostgres } from './move-to-postgres.ts';
import { Owners } from './owners.ts';
import { OperatorPeople } from './people.ts';
import { OperatorSandbox, type RunningSimulators } from './sandbox.ts';
import { SandboxClock } from './sandbox-clock.ts';

export interface OperatorParts
  extends Pick<Access, 'accountRecords' | 'apiKeys' | 'setupTokens' | 'simplefinApps'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly database: OpenDatabase;
  readonly auditLog: AuditLog;
  readonly accountRemoval: AccountRemoval;
  readonly connectedApps: ConnectedApps;
  readonly encryption: EncryptionRotation;
  readonly gateway: ProviderGateway;
  readonly notices: Notices;
  readonly signIn: SignInFeatures;
  readonly backups: Backups;
  /** Integrations that are set up. */
  readonly placed: readonly InspectedIntegration[];
  /** Null if the sandbox is off. */
  readonly simulators: RunningSimulators | null;
  readonly faultKinds: readonly string[];
}

/** The operations of operators, at the command line and in a browser (docs/operator.md). */
export interface OperatorFeatures {
  readonly accounts: OperatorAccounts;
  readonly people: OperatorPeople;
  readonly apps: OperatorApps;
  readonly owners: Owners;
  readonly inspection: Inspection;
  readonly encryption: EncryptionRotation;
  readonly firstStart: FirstStart;
  readonly backups: Backups;
  /** Null if nothing is simulated. */
  readonly sandbox: OperatorSandbox | null;
  /** Null if a real integration depends on the actual time. */
  readonly clock: SandboxClock | null;
  readonly storage: {
    readonly kind: OpenDatabase['kind'];
    pendingMigrations(): Promise<readonly string[]>;
    moveToPostgres(isAlone: boolean): Promise<Moved>;
  };
}

export function createOperator(parts: OperatorParts): OperatorFeatures {
  const { config, clock, database, encryption, simulators } = parts;
  const { db } = database;
  return {
    accounts: new OperatorAccounts(parts),
    people: new OperatorPeople({ ...parts, db, limits: config.limits }),
    apps: new OperatorApps(parts),
    owners: new Owners({ db }),
    inspection: new Inspection(parts),
    encryption,
    backups: parts.backups,
    firstStart: new FirstStart({ ...parts, db }),
    sandbox: simulators === null ? null : new OperatorSandbox(simulators, parts.faultKinds),
    clock: clock instanceof ShiftedClock ? new SandboxClock(config, clock) : null,
    storage: {
      kind: database.kind,
      pendingMigrations: () => pendingMigrations(db),
      moveToPostgres: (isAlone) => moveToPostgres(parts, isAlone),
    },
  };
}
