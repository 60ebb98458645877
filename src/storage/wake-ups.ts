import type { Db } from 'pg-boss';

type Listen = NonNullable<Db['listen']>;

/**
 * Wakes the workers of a queue in this process. It stands in for the LISTEN of pg-boss: a NOTIFY with every job would
 * make each commit wait for every other one that has a job.
 */
export class WakeUps {
  #wakeWorkers: ((queue: string) => void) | null = null;

  /** For pg-boss, which says here how its workers are woken. */
  readonly listen: Listen = async (_channel, wakeWorkers) => {
    this.#wakeWorkers = wakeWorkers;
    return {
      close: async () => {
        this.#wakeWorkers = null;
      },
    };
  };

  /** Makes every idle worker of the queue fetch a job now, and every busy one as soon as it is done. */
  wake(queue: string): void {
    this.#wakeWorkers?.(queue);
  }
}
