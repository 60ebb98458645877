import { CallQuota } from '../shared/call-quota.ts';
import { GoogleError } from './errors.ts';

const MINUTE_MS = 60_000;
const PROJECT = 300;
const USER = 60;

type Kind = 'Read' | 'Write';

/** Google's quotas of Sheets calls: for the project and for each of its people, separately for reads and writes. */
export class CallLimits {
  readonly #quotas: Readonly<
    Record<Kind, readonly (readonly [name: string, amount: number, quota: CallQuota])[]>
  >;
  /** Calls that were refused because of them. */
  refused = 0;

  constructor(now: () => number) {
    const of = (kind: Kind) =>
      [
        [`${kind}RequestsPerMinutePerUser`, USER, new CallQuota(now, USER, MINUTE_MS)],
        [`${kind}RequestsPerMinutePerProject`, PROJECT, new CallQuota(now, PROJECT, MINUTE_MS)],
      ] as const;
    this.#quotas = { Read: of('Read'), Write: of('Write') };
  }

  take(kind: Kind, subject: string): void {
    for (const [name, amount, quota] of this.#quotas[kind]) {
      const key = name.endsWith('User') ? subject : 'project';
      if (quota.take(key) === null) continue;
      this.refused += 1;
      throw new GoogleError(
        429,
        'RATE_LIMIT_EXCEEDED',
        `Quota exceeded for quota metric '${kind} requests' and limit '${kind} requests per minute' of service 'sheets.googleapis.com'.`,
        {
          service: 'sheets.googleapis.com',
          quota_limit: name,
          quota_limit_value: String(amount),
          quota_location: 'global',
        },
      );
    }
  }

  clear(): void {
    for (const quotas of Object.values(this.#quotas)) for (const [, , quota] of quotas) quota.clear();
    this.refused = 0;
  }
}
