import { sql } from 'kysely';
import { type Clock, ShiftedClock, systemClock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { loadKeyring } from '../../platform/keyring.ts';
import { findAccountRecord } from '../../storage/account-records.ts';
import type { OpenDatabase } from '../../storage/database.ts';
import { pendingMigrations } from '../../storage/migrator.ts';
import type { Notices } from '../../storage/notices.ts';
import { knownProcesses } from '../../storage/processes.ts';
import { lateWork, serviceFigures } from '../../storage/service-figures.ts';
import { consoleFile } from '../../vocabulary/consoles.ts';
import { publicId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { EncryptionRotation } from '../encryption/encryption-rotation.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import { CHECKS } from './check-table.ts';
import { type Finding, fail, findingsFrom, fixable, type Look, ok, warn } from './finding.ts';
import { checkLocalFolders, type LocalSetting } from './local-folder-checks.ts';
import { checkBackupFolder } from './machine-checks.ts';
import { countSealed } from './sealed-secrets.ts';

const CLOCK_TOLERANCE_MS = 5_000;
/** Less is a busy moment. */
const LATE_MS = 600_000;

type Place = 'vendor' | 'simulator';

interface InspectedProvider {
  readonly kind: 'provider';
  readonly name: ProviderIdentifier;
}

interface InspectedDestination {
  readonly kind: 'destination';
  readonly name: string;
  readonly variables: readonly LocalSetting[];
}

/** An integration that is set up: at the vendor, or at its simulator. */
export interface InspectedIntegration {
  readonly row: InspectedProvider | InspectedDestination;
  readonly at: Place;
}

export interface InspectionParts {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly gateway: Pick<ProviderGateway, 'institutions' | 'providers' | 'checkCredentials'>;
  readonly encryption: Pick<EncryptionRotation, 'use'>;
  readonly notices: Pick<Notices, 'connected'>;
  readonly placed: readonly InspectedIntegration[];
}

/** The part of the checks of an installation that needs the storage and the providers. */
export class Inspection {
  readonly #parts: InspectionParts;

  constructor(parts: InspectionParts) {
    this.#parts = parts;
  }

  /** @param serving whether this process serves the installation, or only has it open */
  async run(serving: boolean, signal: AbortSignal): Promise<readonly Finding[]> {
    const parts = this.#parts;
    return findingsFrom([
      ['storage', () => checkStorage(parts)],
      ['sealed secrets', () => checkSealed(parts)],
      ['older encryption key', () => checkOlderKeys(parts)],
      ['database clock', () => checkDatabaseClock(parts)],
      ['workers', () => checkWorkers(parts, serving)],
      ['backup folder', () => (serving ? backupFolderOfService(parts) : [])],
      ['personal account', () => checkPersonal(parts)],
      ['providers', () => checkLinkable(parts)],
      ...checksOfIntegrations(parts, signal),
      ['local folder', () => checkLocalFolders(parts.config, destinationsAtVendors(parts), serving)],
    ]);
  }
}

async function checkStorage({ database }: InspectionParts): Promise<Finding> {
  await sql`select true`.execute(database.db);
  const pending = await pendingMigrations(database.db);
  return pending.length === 0
    ? ok('storage', `the ${database.kind} database answers and is up to date`)
    : fail('storage', `the ${database.kind} database is missing ${pending.join(', ')}`);
}

async function checkSealed({ config, database }: InspectionParts): Promise<Finding> {
  const { encryptionKey, dataDir } = config;
  const { sealed, unreadable } = await countSealed(
    database.db,
    await loadKeyring({ encryptionKey, dataDir }),
  );
  return unreadable === 0
    ? ok('sealed secrets', `${sealed} sealed, all can be opened`)
    : fail('sealed secrets', `${unreadable} of ${sealed} cannot be opened with the configured keys`);
}

/**
 * Whether an older encryption key is still needed. Resealing is left to the operator where other processes may lack the
 * primary key, because they could no longer open anything; a key file they all read again.
 */
async function checkOlderKeys(parts: InspectionParts): Promise<Finding[]> {
  const { config, encryption } = parts;
  const { older } = await encryption.use();
  const others =
    config.encryptionKey === undefined || older.every(({ values }) => values === 0)
      ? null
      : await otherProcesses(parts);
  return older.map(({ id, values }) => {
    const check = 'older encryption key';
    const found = `${values} values are still sealed under key "${id}"`;
    if (values === 0)
      return warn(
        check,
        `nothing is sealed under key "${id}" any more; it can be removed`,
        config.encryptionKey === undefined
          ? 'Run: tributary keys rotate-encryption --retire'
          : 'Keep only the first key in ENCRYPTION_KEY and restart every process.',
      );
    if (others === null) return fixable(warn(check, found));
    return warn(
      check,
      `${found}, and ${others}`,
      'Check that every process has the first key of ENCRYPTION_KEY, then run: tributary keys rotate-encryption',
    );
  });
}

/**
 * Which other processes have, or may have, the database open, in words; null if there is none for certain. The embedded
 * one serves a single process.
 */
async function otherProcesses({ config, database, clock, notices }: InspectionParts): Promise<string | null> {
  if (config.databaseUrl === null) return null;
  const { listening, working, unclear } = await knownProcesses(database.db, new Date(clock.now()));
  const isListening = notices.connected;
  const isWorking = isListening && config.roles.includes('worker');
  const known = Math.max(listening - Number(isListening), working - Number(isWorking));
  if (known > 0) return `${known} other ${known === 1 ? 'process uses' : 'processes use'} this database`;
  if (unclear === 0) return null;
  return `${unclear === 1 ? '1 session' : `${unclear} sessions`} of this database may be of other processes`;
}

async function checkDatabaseClock({ database, clock }: InspectionParts): Promise<Finding> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db);
  // That of the sandbox was moved on purpose.
  const now = clock instanceof ShiftedClock ? systemClock.now() : clock.now();
  const apart = Math.abs((rows[0]?.now.getTime() ?? 0) - now);
  return apart <= CLOCK_TOLERANCE_MS
    ? ok('database clock', 'agrees with this machine')
    : warn('database clock', `${Math.round(apart / 1000)} s away from this machine's`);
}

/** Whether processes take runs and start syncs; not checked for an embedded database without a running service. */
async function checkWorkers(
  { config, database, clock }: InspectionParts,
  serving: boolean,
): Promise<Finding[]> {
  if (!serving && config.databaseUrl === null) return [];
  const now = new Date(clock.now());
  const { workers } = await serviceFigures(database.db, now, config.limits);
  const { waiting, overdue } = await lateWork(database.db, new Date(now.getTime() - LATE_MS));
  const late = `since more than ${LATE_MS / 60_000} minutes ago`;
  return [
    workers > 0
      ? ok('workers', `${workers} running`)
      : warn('workers', 'no process takes sync runs: no heartbeat in the last 45 seconds'),
    waiting === 0
      ? ok('waiting work', 'no run and no job has been waiting for long')
      : warn('waiting work', `${waiting} runs and jobs have been waiting ${late}`),
    overdue === 0
      ? ok('schedule', 'every sync that was due has been started')
      : warn('schedule', `${overdue} syncs have been due ${late}: no process starts them`),
  ];
}

/** With its unit, the service may write to its data directory only, while a shell on the machine sees nothing of that. */
async function backupFolderOfService({ config }: InspectionParts): Promise<Finding[]> {
  const findings = await checkBackupFolder(config);
  return findings.map(({ found }) =>
    fail(
      'backup folder',
      `${found} for the service`,
      'Add the folder to ReadWritePaths of its unit: systemctl edit tributary.',
    ),
  );
}

/** Whether anything can be linked. */
function checkLinkable({ config, gateway, placed }: InspectionParts): Finding[] {
  const linkable = providersOf(placed).filter(
    ({ name }) => !gateway.providers.isPersonal(name) || config.personalAccount !== null,
  );
  if (linkable.length > 0) return [];
  return [fail('providers', 'none can be linked: no credentials are set, and the sandbox is off')];
}

/**
 * Whether PERSONAL_ACCOUNT, if set, names an existing account record. If it does not, no one can link a provider with
 * personal credentials, which is a failure if there is such a provider.
 */
async function checkPersonal({ config, database, gateway, placed }: InspectionParts): Promise<Finding[]> {
  const { personalAccount: named } = config;
  if (named === null) return [];
  const id = publicId('account_record', named);
  if ((await findAccountRecord(database.db, named)) !== null) {
    return [ok('personal account', `PERSONAL_ACCOUNT names ${id}`)];
  }
  const found = `PERSONAL_ACCOUNT names ${id}, which is not an account record in this database`;
  return providersOf(placed).some(({ name }) => gateway.providers.isPersonal(name))
    ? [fail('personal account', `${found}: no one can link a provider with personal credentials`)]
    : [warn('personal account', found)];
}

/** One line for each integration that needs credentials; providers are asked whether they accept them. */
function checksOfIntegrations(parts: InspectionParts, signal: AbortSignal): Look[] {
  const { placed } = parts;
  return [
    ...providersOf(placed).map(
      ({ name, at }): Look => ['provider', () => checkProvider(parts, name, at, signal), name],
    ),
    ...placed.flatMap(({ row, at }): Look[] => {
      if (row.kind !== 'destination' || row.variables.length === 0) return [];
      const { name } = row;
      return [['destination', () => ok('destination', destinationText(parts, name, at), name), name]];
    }),
  ];
}

/** Some need nothing from the operator: owners supply what is needed, such as the address of their own server. */
function destinationText({ config }: InspectionParts, name: string, at: Place): string {
  const isUnset = Object.keys(config.integrations[name]?.texts ?? {}).length === 0;
  return at === 'vendor' && isUnset
    ? 'nothing is set, and nothing has to be: owners connect their own'
    : `set up at ${WHERE[at]}`;
}

const WHERE: Readonly<Record<Place, string>> = {
  vendor: 'the vendor',
  simulator: 'the simulator',
};

async function checkProvider(
  { gateway }: InspectionParts,
  provider: ProviderIdentifier,
  at: Place,
  signal: AbortSignal,
): Promise<Finding> {
  if (gateway.providers.asks(provider) !== null)
    return ok('provider', `set up at ${WHERE[at]}, where each person has credentials of their own`, provider);
  try {
    const isAsked = await gateway.checkCredentials(provider, signal);
    if (!gateway.providers.capabilities(provider).has('institutions'))
      return isAsked
        ? ok('provider', `${WHERE[at]} accepts our credentials`, provider)
        : ok(
            'provider',
            `not asked: ${WHERE[at]} offers nothing that would show whether it is set up`,
            provider,
          );
    // A cached list would say nothing about the credentials now.
    const institutions = await gateway.institutions.read(provider, { live: true }, signal);
    if (institutions.length > 0 && !institutions.some(({ available }) => available))
      return fail(
        'provider',
        `${WHERE[at]} offers no institution that can be linked now`,
        withConsole('Check that the credentials have not expired or been revoked.', provider),
        provider,
      );
    const offered = `${WHERE[at]} accepts our credentials and offers ${institutions.length} institutions`;
    return ok('provider', offered, provider);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return fail(
      'provider',
      `${error.message.replace(/\.$/, '')} (${error.code})`,
      withConsole(CHECKS.provider.todo, provider),
      provider,
    );
  }
}

/** Advice, followed by the page that says where the credentials come from. */
function withConsole(advice: string, provider: ProviderIdentifier): string {
  const file = consoleFile(provider);
  return file === null ? advice : `${advice.replace(/\.$/, '')}: ${file}.`;
}

function destinationsAtVendors({ placed }: InspectionParts): readonly InspectedDestination[] {
  return placed.flatMap(({ row, at }) => (row.kind === 'destination' && at === 'vendor' ? [row] : []));
}

function providersOf(
  placed: readonly InspectedIntegration[],
): readonly (InspectedProvider & { readonly at: Place })[] {
  return placed.flatMap(({ row, at }) => (row.kind === 'provider' ? [{ ...row, at }] : []));
}
