import type { AccountReads } from '../../features/account-reads.ts';
import type { AccountRecords } from '../../features/account-records.ts';
import type { ApiKeys } from '../../features/api-keys.ts';
import type { Categories } from '../../features/categories.ts';
import type { DataReads } from '../../features/data-reads.ts';
import type { Idempotency } from '../../features/idempotency.ts';
import type { Linking } from '../../features/linking.ts';
import type { RulesetPreview } from '../../features/ruleset-preview.ts';
import type { Syncing } from '../../features/syncing.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { PageTokens } from './page-tokens.ts';

/** Everything an operation may use, built once in serve.ts and passed on explicitly. */
export interface Services
  extends Pick<
      Linking,
      'accounts' | 'connectionRevocation' | 'connections' | 'consents' | 'institutions' | 'linkSessions'
    >,
    DataReads,
    Pick<
      Syncing,
      | 'categoryMappings'
      | 'destinationLinks'
      | 'destinationResources'
      | 'destinations'
      | 'rulesetAttachments'
      | 'rulesetRules'
      | 'rulesets'
      | 'syncRuns'
      | 'syncs'
    > {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Where callers reach us, without a slash at the end; page addresses are built on it. */
  readonly publicUrl: string;
  readonly pageTokens: PageTokens;
  readonly accountRecords: AccountRecords;
  readonly apiKeys: ApiKeys;
  readonly idempotency: Idempotency;
  readonly accountReads: AccountReads;
  readonly categories: Categories;
  readonly rulesetPreview: RulesetPreview;
}
