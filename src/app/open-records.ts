import { AccountRecords } from '../features/access/account-records.ts';
import { ApiKeys } from '../features/access/api-keys.ts';
import { AuditLog } from '../features/audit/audit-log.ts';
import { EventLog } from '../features/events/event-log.ts';
import { OperatorRecords } from '../features/operator/account-records.ts';
import { OperatorKeys } from '../features/operator/apps.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { pendingMigrations } from '../storage/migrator.ts';
import { Notices } from '../storage/notices.ts';
import type { RecordParts } from '../surfaces/cli/command.ts';
import type { EarlyDatabase } from './early-database.ts';
import type { Integration } from './integrations.ts';
import { openStorage, preparedStorage } from './open-storage.ts';
import { openClock } from './sandbox-mode.ts';

interface RecordOptions {
  readonly config: Config;
  readonly log: Log;
  readonly integrations: readonly Integration[];
  readonly database: EarlyDatabase | null;
}

/** What commands on the database alone need, built without the rest of the service; `close` closes the database. */
export interface OpenRecords {
  readonly app: RecordParts;
  close(): Promise<void>;
}

/**
 * Opens and migrates the storage with the checks of a start, such as that the keys open its secrets, for commands that
 * need nothing else. No simulator runs, and nothing outside is reached.
 */
export async function openRecords(options: RecordOptions): Promise<OpenRecords> {
  const { config, log, integrations } = options;
  const clock = await openClock(config, integrations);
  const database = await openStorage(config, log, options.database?.take());
  try {
    const { db } = database;
    await preparedStorage(database, config, log);
    const notices = new Notices(database);
    const { trigger } = new EventLog({ clock, notices });
    const { limits } = config;
    const accountRecords = new AccountRecords({ db, clock, notices });
    const apiKeys = new ApiKeys({ db, clock, notices, limits, events: trigger });
    const auditLog = new AuditLog({ db, clock, log, limits });
    const operator = {
      accounts: new OperatorRecords({ accountRecords, auditLog, clock }),
      apps: new OperatorKeys({ accountRecords, apiKeys, auditLog }),
      storage: { kind: database.kind, pendingMigrations: () => pendingMigrations(db) },
    };
    return {
      app: { operator, services: { clock } },
      close: async () => {
        await notices.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
