import { JobWorkers } from '../../src/background/job-workers.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/log.ts';
import type { OpenDatabase } from '../../src/storage/database.ts';
import { Jobs } from '../../src/storage/jobs.ts';
import { Notices } from '../../src/storage/notices.ts';

/** What enqueues and what takes the jobs of a database, in this process. No one else works on them. */
export async function startJobs(
  database: OpenDatabase,
  clock: Clock = systemClock,
): Promise<{ readonly jobs: Jobs; readonly workers: JobWorkers; readonly notices: Notices }> {
  const notices = new Notices(database);
  const workers = new JobWorkers({
    db: database.db,
    clock,
    log: createLog({ level: 'silent' }),
    notices,
    alone: false,
  });
  await workers.start();
  return { jobs: new Jobs({ clock, notices }), workers, notices };
}
