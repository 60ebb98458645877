/** One thing that `tributary doctor` looks at. */
interface Check {
  /** What is wrong if it finds something. */
  readonly looks: string;
  /** What to do about it; a finding may say it more precisely. */
  readonly todo: string;
  /** What `--fix` does about it; null if that is for the operator to decide. */
  readonly fix: string | null;
}

/** Every check by its name, in the order of docs/operator.md#checks. */
export const CHECKS = {
  configuration: {
    looks:
      'A variable has a value that cannot be used, or contradicts another one, such as credentials of a vendor that are incomplete',
    todo: 'Correct it; docs/configuration.md lists every variable.',
    fix: null,
  },
  variables: {
    looks: 'The name of an unknown variable is almost that of a known one',
    todo: 'Correct its name, or remove it.',
    fix: null,
  },
  roles: {
    looks: '`ROLES` leaves out a role beside the embedded database, which no other process can use',
    todo: 'Remove ROLES, or move to Postgres: docs/self-hosting.md.',
    fix: null,
  },
  sandbox: {
    looks: 'Simulated integrations run beside real credentials of a vendor',
    todo: 'Set SANDBOX=auto, or remove the credentials.',
    fix: null,
  },
  'log level': {
    looks: 'Outside the sandbox, everything is logged, or nothing',
    todo: 'Set LOG_LEVEL=info.',
    fix: null,
  },
  clock: {
    looks: 'The clock of this machine is years behind',
    todo: 'Set the clock: signatures and consents depend on it.',
    fix: null,
  },
  'time zone': {
    looks: '`TZ` is not a time zone, so UTC is used',
    todo: 'Set TZ to the name of a zone, such as Europe/Berlin.',
    fix: null,
  },
  memory: {
    looks: 'This machine, or the limit of this process, has less memory than the service needs',
    todo: 'Give it more memory: docs/self-hosting.md#memory.',
    fix: null,
  },
  'open files': {
    looks: 'This process may have fewer files and sockets open than callers and banks need',
    todo: 'Raise the limit to 4096 or more: LimitNOFILE in a unit, ulimit -n in a shell.',
    fix: null,
  },
  'data directory': {
    looks: '`DATA_DIR` or the lock in it cannot be created or written to, or other users can look inside',
    todo: 'Make it a directory that only the user of the service can use.',
    fix: 'closes it to other users',
  },
  'file system': {
    looks:
      '`DATA_DIR` is in memory, which a restart empties, or on a network file system, which loses the lock of the database',
    todo: 'Move DATA_DIR to a local disk.',
    fix: null,
  },
  'disk space': {
    looks: 'Less than a tenth of a disk, and less than 2 GB, is free where the data or the backups are',
    todo: 'Free some space, or move the folder to a larger disk.',
    fix: null,
  },
  'encryption key': {
    looks: 'The key file is missing although there is a database, cannot be read, or other users can read it',
    todo: 'Restore the key file from its copy, or run: chmod 600 on it, and rotate the key if someone could have read it.',
    fix: 'closes the file to other users',
  },
  database: {
    looks: 'The server of `DATABASE_URL` cannot be reached, or refuses the sign-in',
    todo: 'Check DATABASE_URL, and that the server runs and accepts connections from this machine.',
    fix: null,
  },
  'database version': {
    looks: 'The Postgres server is older than version 15',
    todo: 'Upgrade the server to Postgres 15 or newer.',
    fix: null,
  },
  'database encoding': {
    looks: 'The database does not store text as UTF-8',
    todo: 'Create it again with: createdb --template template0 --encoding UTF8',
    fix: null,
  },
  'database durability': {
    looks:
      'The database confirms writes before they are on disk, so a crash of the server would deliver rows twice',
    todo: 'Set fsync, full_page_writes and synchronous_commit to on for this database.',
    fix: null,
  },
  'database role': {
    looks: 'The service signs in to Postgres as a superuser',
    todo: 'Create a role that only owns this database, and name it in DATABASE_URL.',
    fix: null,
  },
  'database connections': {
    looks: 'The server, the database or the role allows fewer connections than the processes use',
    todo: 'Raise max_connections, or the connection limit of the database or the role.',
    fix: null,
  },
  'connection pooler': {
    looks: 'A connection pooler shares one server connection between clients, so locks and notices get lost',
    todo: 'Set pool_mode = session in PgBouncer, or connect to Postgres directly: docs/stores.md#behind-a-connection-pooler.',
    fix: null,
  },
  'unencrypted stores': {
    looks: 'Postgres or Redis is reached over the internet without encryption',
    todo: 'Add sslmode=verify-full to DATABASE_URL, and begin REDIS_URL with rediss.',
    fix: null,
  },
  migrations: {
    looks: 'The database has an older schema than this version needs',
    todo: 'Take a backup, then run: tributary migrate',
    fix: null,
  },
  storage: {
    looks: 'The storage cannot be opened, or a running service has an older schema',
    todo: 'Restart the service with this version.',
    fix: null,
  },
  'sealed secrets': {
    looks: 'A sealed secret cannot be opened with the configured keys',
    todo: 'Add the key they were sealed under to ENCRYPTION_KEY after the primary, or put the old key file back.',
    fix: null,
  },
  'older encryption key': {
    looks: 'Values are still sealed under an older key, or nothing is and it can be removed',
    todo: 'Run: tributary keys rotate-encryption',
    fix: 'seals everything under the primary key, unless it is in `ENCRYPTION_KEY` and another process uses the database, or may use it; removes no key',
  },
  'database clock': {
    looks: "The clock of the database is more than 5 seconds away from this machine's",
    todo: 'Synchronise the clocks of both machines, for example with NTP.',
    fix: null,
  },
  workers: {
    looks: 'No process takes sync runs',
    todo: 'Start the service, or a process with ROLES=worker.',
    fix: null,
  },
  'waiting work': {
    looks: 'A sync run or another job has been waiting for more than 10 minutes',
    todo: 'Start another process with ROLES=worker, and look for errors in the log.',
    fix: null,
  },
  schedule: {
    looks: 'A sync has been due for more than 10 minutes and was not started',
    todo: 'Start a process with ROLES=scheduler.',
    fix: null,
  },
  'personal account': {
    looks: '`PERSONAL_ACCOUNT` names no account record',
    todo: 'Set PERSONAL_ACCOUNT to an id that tributary account list prints, or remove it.',
    fix: null,
  },
  providers: {
    looks: 'No bank can be linked',
    todo: 'Set the credentials of a provider (docs/providers.md), or SANDBOX=on to try it with simulated banks.',
    fix: null,
  },
  provider: {
    looks:
      'A provider refuses any of the credentials, cannot be reached, or offers no institution; one line each',
    todo: 'Check the credentials and that this machine can reach the vendor.',
    fix: null,
  },
  destination: {
    looks: 'Nothing: says how each destination that takes settings is set up',
    todo: 'Nothing.',
    fix: null,
  },
  'local folder': {
    looks: '`CSV_FOLDER_ROOT` does not exist, is no folder, or cannot be written to by the service',
    todo: 'Create it for the user of the service, and let the unit or the container write there: docs/destination-services.md#csv-files.',
    fix: null,
  },
  backups: {
    looks:
      'The last backup is older than two intervals, there is none, or none are scheduled outside the sandbox',
    todo: 'Look for a failed backup in the log, and correct its cause.',
    fix: null,
  },
  'backup folder': {
    looks:
      '`BACKUP_FOLDER` cannot be written to, by this process or by the running service, or is inside `DATA_DIR`',
    todo: 'Set BACKUP_FOLDER to a folder on another disk that the user of the service can write to.',
    fix: null,
  },
  'backup secrets': {
    looks: 'The passphrase or the encryption key is in the folder of the backups that it protects',
    todo: 'Move that file elsewhere: anyone who takes the folder has everything.',
    fix: null,
  },
  port: {
    looks: 'The port is taken by another program, or cannot be opened',
    todo: 'Stop that program, or set PORT to one that is free.',
    fix: null,
  },
  'metrics port': {
    looks: 'The port of `/metrics` is taken by another program, is that of `PORT`, or cannot be opened',
    todo: 'Stop that program, or set METRICS_PORT to one that is free, or to off.',
    fix: null,
  },
  proxy: {
    looks: '`TRUST_PROXY` is missing behind a proxy, or set without one',
    todo: 'Set TRUST_PROXY=1 if there is one proxy in front, and remove it if there is none.',
    fix: null,
  },
  'plain http': {
    looks:
      '`PUBLIC_URL`, `APP_URL` or `MCP_URL` is http on another host than this machine, so passwords and keys are sent unencrypted, and apps refuse to sign in',
    todo: 'Put a proxy with TLS in front, and begin the address with https: docs/self-hosting.md#reverse-proxy.',
    fix: null,
  },
  'listening address': {
    looks: '`PUBLIC_URL` leads to another port, or only to this machine although `HOST` is open to others',
    todo: 'Set PUBLIC_URL to the address that callers use.',
    fix: null,
  },
  'public address': {
    looks: '`PUBLIC_URL` does not lead to this service',
    todo: 'Start the service, or check PUBLIC_URL and the proxy in front of it.',
    fix: null,
  },
  metrics: {
    looks: '`/metrics` can be reached from other machines',
    todo: 'Set METRICS_HOST=127.0.0.1, or keep the port behind a firewall.',
    fix: null,
  },
  traces: {
    looks: 'The collector of traces cannot be reached, or does not take them',
    todo: 'Check the OTEL_EXPORTER_OTLP variables and that the collector takes OTLP over HTTP in JSON, or remove them.',
    fix: null,
  },
  redis: {
    looks: 'Redis cannot be reached, or is set without Postgres',
    todo: 'Check REDIS_URL, or remove it: without it, processes count rate limits in Postgres.',
    fix: null,
  },
  rates: {
    looks: 'A rate limit is above the limit of all requests, so it has no effect',
    todo: 'Raise LIMIT_AUTH_ATTEMPTS and LIMIT_SESSION_REQUESTS to the largest of them.',
    fix: null,
  },
  'raised limits': {
    looks:
      'A limit on requests or attempts is more than ten times its default, so guessing is hardly slowed down',
    todo: 'Remove the variable, or set it to what your callers need.',
    fix: null,
  },
  'outgoing addresses': {
    looks:
      '`OUTBOUND_ALLOW` opens more than a private network, or outside the sandbox this machine or the metadata service of a cloud, to every webhook',
    todo: 'List only the networks that webhooks need.',
    fix: null,
  },
  mail: {
    looks: 'The mail server does not accept mail, or none is set although people sign in from elsewhere',
    todo: 'Set SMTP_URL and SMTP_FROM; without them you hand out links for invitations and new passwords yourself.',
    fix: null,
  },
} as const satisfies Readonly<Record<string, Check>>;

export type CheckName = keyof typeof CHECKS;

/** The row of docs/operator.md for one check. */
export function checkRow(name: CheckName): string {
  const { looks, todo, fix }: Check = CHECKS[name];
  return `| ${name} | ${looks} | ${todo} | ${fix ?? ''} |`;
}
