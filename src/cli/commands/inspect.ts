import { sql } from 'kysely';
import { Type } from 'typebox';
import { type PlacedIntegration, providersOf } from '../../app/integrations.ts';
import { loadKeyring } from '../../platform/keyring.ts';
import { pendingMigrations } from '../../storage/migrator.ts';
import { serviceFigures } from '../../storage/service-figures.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { type CommandContext, command } from '../command.ts';
import { type Finding, fail, ok, warn } from '../doctor/check.ts';
import { checkPersonalAccount } from '../doctor/personal-account.ts';
import { countSealed } from '../doctor/sealed-secrets.ts';
import { table } from '../table.ts';

const CLOCK_TOLERANCE_MS = 5_000;

/** The part of `doctor` that needs the storage and the providers, run where they are open. */
export const inspect = command({
  name: 'inspect',
  args: Type.Object({}, { additionalProperties: false }),
  result: Type.Object({
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        outcome: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail')]),
        found: Type.String(),
        advice: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),
  run: async (context) => ({
    findings: [
      await checkStorage(context),
      await checkSealed(context),
      ...(await checkOlderKeys(context)),
      await checkDatabaseClock(context),
      ...(await checkWorkers(context)),
      ...(await checkPersonal(context)),
      ...checkLinkable(context),
      ...(await checkIntegrations(context)),
    ],
  }),
  show: ({ findings }) => findingsTable(findings),
});

/** The lines `doctor` prints. */
export function findingsTable(findings: readonly Finding[]): string {
  return table(
    [{ title: 'RESULT' }, { title: 'CHECK' }, { title: 'FOUND' }],
    findings.map(({ outcome, check, found, advice }) => [
      outcome,
      check,
      advice === null ? found : `${found}. ${advice}`,
    ]),
  );
}

async function checkStorage({ app }: CommandContext): Promise<Finding> {
  const { database } = app;
  await sql`select 1`.execute(database.db);
  const pending = await pendingMigrations(database.db);
  return pending.length === 0
    ? ok('storage', `the ${database.kind} database answers and is up to date`)
    : fail(
        'storage',
        `the ${database.kind} database is missing ${pending.join(', ')}`,
        'Run: tributary migrate',
      );
}

async function checkSealed({ app }: CommandContext): Promise<Finding> {
  const { encryptionKey, dataDir } = app.config;
  const { sealed, unreadable } = await countSealed(
    app.database.db,
    await loadKeyring({ encryptionKey, dataDir }),
  );
  return unreadable === 0
    ? ok('sealed secrets', `${sealed} sealed, all can be opened`)
    : fail(
        'sealed secrets',
        `${unreadable} of ${sealed} cannot be opened with the configured keys`,
        'Add the key they were sealed under to ENCRYPTION_KEY after the primary, or put the old key file back.',
      );
}

/** Whether an older encryption key is still needed. */
async function checkOlderKeys({ app }: CommandContext): Promise<Finding[]> {
  const { older } = await app.encryptionRotation.use();
  return older.map(({ id, values }) =>
    values > 0
      ? warn(
          'older encryption key',
          `${values} values are still sealed under key "${id}"`,
          'Run: tributary keys rotate-encryption',
        )
      : warn(
          'older encryption key',
          `nothing is sealed under key "${id}" any more; it can be removed`,
          app.config.encryptionKey === undefined
            ? 'Run: tributary keys rotate-encryption --retire'
            : 'Keep only the first key in ENCRYPTION_KEY and restart every process.',
        ),
  );
}

async function checkDatabaseClock({ app }: CommandContext): Promise<Finding> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(app.database.db);
  const apart = Math.abs((rows[0]?.now.getTime() ?? 0) - app.services.clock.now());
  return apart <= CLOCK_TOLERANCE_MS
    ? ok('database clock', 'agrees with this machine')
    : warn(
        'database clock',
        `${Math.round(apart / 1000)} s away from this machine's`,
        'Synchronise the clocks of both machines, for example with NTP.',
      );
}

/** Whether a process takes runs; not asked of an embedded database that nothing serves now. */
async function checkWorkers({ app: { config, database, clock }, url }: CommandContext): Promise<Finding[]> {
  if (url === null && config.databaseUrl === null) return [];
  const { workers } = await serviceFigures(database.db, new Date(clock.now()));
  if (workers > 0) return [ok('workers', `${workers} running`)];
  return [
    warn(
      'workers',
      'no process takes sync runs: no heartbeat in the last 45 seconds',
      'Start the service, or a process with ROLES=worker.',
    ),
  ];
}

/** Whether anybody can link anything. */
function checkLinkable({ app: { config, gateway, placed } }: CommandContext): Finding[] {
  const linkable = providersOf(placed).filter(
    ({ row }) => !gateway.providers.isPersonal(row.name) || config.personalAccount !== null,
  );
  if (linkable.length > 0) return [];
  return [
    fail(
      'providers',
      'none can be linked: no credentials are set, and the sandbox is off',
      'Set the credentials of a provider (docs/providers.md), or SANDBOX=on to try it with simulated banks.',
    ),
  ];
}

/** Who may link providers with personal credentials, where the operator has said so. */
async function checkPersonal({ app }: CommandContext): Promise<Finding[]> {
  const { config, database, gateway, placed } = app;
  const personal = providersOf(placed).some(({ row }) => gateway.providers.isPersonal(row.name));
  const finding = await checkPersonalAccount(database.db, config.personalAccount, personal);
  return finding === null ? [] : [finding];
}

/** One line for each integration that needs credentials: providers are asked for their institutions, where they list any. */
async function checkIntegrations(context: CommandContext): Promise<Finding[]> {
  const { placed } = context.app;
  const findings: Finding[] = [];
  for (const { row, at } of providersOf(placed)) findings.push(await checkProvider(context, row.name, at));
  for (const { row, at } of placed)
    if (row.kind === 'destination' && row.variables.length > 0)
      findings.push(ok(`destination ${row.name}`, destinationText(context, row.name, at)));
  return findings;
}

/** Some need nothing of the operator: owners bring what they need, such as the address of their own server. */
function destinationText({ app }: CommandContext, name: string, at: PlacedIntegration['at']): string {
  const isUnset = Object.keys(app.config.integrations[name]?.texts ?? {}).length === 0;
  return at === 'vendor' && isUnset
    ? 'nothing is set, and nothing has to be: owners connect their own'
    : `set up at ${WHERE[at]}`;
}

const WHERE: Readonly<Record<PlacedIntegration['at'], string>> = {
  vendor: 'the vendor',
  simulator: 'the simulator',
};

async function checkProvider(
  { app, signal }: CommandContext,
  provider: ProviderIdentifier,
  at: PlacedIntegration['at'],
): Promise<Finding> {
  const check = `provider ${provider}`;
  if (!app.gateway.providers.capabilities(provider).has('institutions'))
    return ok(check, `set up at ${WHERE[at]}`);
  try {
    // A cached list would say nothing about the credentials now.
    const institutions = await app.gateway.institutions.read(provider, { live: true }, signal);
    if (institutions.length > 0 && !institutions.some(({ available }) => available)) {
      return fail(
        check,
        `${WHERE[at]} offers no institution that can be linked now`,
        'Check that the credentials have not run out or been revoked.',
      );
    }
    return ok(check, `${WHERE[at]} accepts our credentials and offers ${institutions.length} institutions`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return fail(
      check,
      `${error.message} (${error.code})`,
      'Check the credentials and that this machine can reach the vendor.',
    );
  }
}
