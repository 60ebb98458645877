// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Holding } from './holdings.ts';
import type { SyncRun } from './sync-runs.ts';
import type { Trade } from './trades.ts';
import type { Transaction } from './transactions.ts';
import type { WebhookReplay } from './destinations.ts';

/** What is copied from which accounts to which destination, and how. */
export type Sync = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'sync';
  /** For people. */
  readonly name: string;
  readonly type: 'transactions' | 'holdings' | 'trades';
  /** Whether it takes part. */
  readonly enabled: boolean;
  /** running: a run is queued or under way; attention: the last run failed, or the sync is parked. */
  readonly status: 'idle' | 'running' | 'attention';
  /** Why a person should look at it. */
  readonly attention: {
    readonly code: 'destination_auth_expired' | 'destination_resource_missing' | 'destination_disabled' | 'connection_lost' | 'consent_expired' | 'account_unavailable' | 'data_invalid' | 'run_failed';
  } | null;
  /** Effects of its settings that may be unwanted; it runs nevertheless. same_account_twice: these accounts are one account at the bank, linked more than once, so each of its rows is delivered once for each of them. */
  readonly warnings: readonly {
    readonly code: 'same_account_twice';
    readonly accounts: readonly string[];
  }[];
  /** Id of the destination, dest_…. */
  readonly destination: {
    readonly id: string;
    readonly type: 'sheets' | 'notion' | 'airtable' | 'ynab' | 'webhook' | 'postgres' | 'actual' | 'csv_folder';
    readonly name: string;
    readonly mapping_mode: 'bulk' | 'per_account';
  };
  /** Ids of the accounts, acct_…. */
  readonly accounts: readonly string[];
  /** Where the rows of each account go, in per_account mode. */
  readonly account_mappings: readonly Readonly<Record<string, string | null>>[];
  /** Fields of its rows that the owner chose, in order; null for the standard columns. */
  readonly columns: readonly string[] | null;
  readonly options: {
    /** YYYY-MM-DD */
    readonly data_from: string;
    readonly include_pending: boolean;
    readonly mask_account_numbers: boolean;
    readonly custom_categories: boolean;
    readonly include_balances_tab: boolean;
  };
  /** Ids of the attached rulesets. */
  readonly rulesets: readonly string[];
  /** The newest run, with include[]=latest_run and in the answer that queued it. Otherwise null, which does not mean that the sync never ran: see last_synced_at. */
  readonly latest_run: SyncRun | null;
  /** When it runs on its own: every so many minutes, or at times of day in a zone. null: as often as the service lets it. */
  readonly schedule: {
    /** Minutes between two runs. */
    readonly interval_minutes: number;
  } | {
    /** Times of day at which it runs, HH:MM. */
    readonly times: readonly string[];
    /** The zone of the times, an IANA name such as Pacific/Auckland. */
    readonly timezone: string;
  } | null;
  readonly last_synced_at: string | null;
  /** When the schedule next queues a run. */
  readonly next_run_at: string | null;
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

export type DeletedSync = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'sync';
  readonly deleted: true;
};

/** Which category of the budgeting app takes rows of a provider category. */
export type CategoryMapping = {
  /** Which kind of object this is. */
  readonly object: 'category_mapping';
  readonly provider_category: string;
  /** The app's own id. */
  readonly destination_category: string;
  readonly destination_category_name: string | null;
};

/** A row that a sync could not deliver when it last met it. */
export type RejectedRow = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'rejected_row';
  /** Id of the sync, sync_…. */
  readonly sync: string;
  /** Id of the account, acct_…. */
  readonly account: string;
  /** provider: it could not be read from the bank; destination: it was refused there. */
  readonly origin: 'provider' | 'destination';
  /** The id of the row; null if it has none that can be read. */
  readonly row: string | null;
  readonly day: string | null;
  /** The member of the row that is at fault; null if it is not a single one. */
  readonly field: string | null;
  /** Why, as the page on rows set aside lists. */
  readonly reason: string;
  /** The run that met it first. */
  readonly first_sync_run: string;
  /** The run that met it last. */
  readonly last_sync_run: string;
  /** When that run ended. */
  readonly last_seen: string;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
};

/** What the next run of a sync would do, compared with what was delivered. */
export type DryRun = {
  /** Which kind of object this is. */
  readonly object: 'dry_run';
  /** Id of the sync, sync_…. */
  readonly sync: string;
  /** Exact counts of every account, in the order of the sync. unreadable: rows of the bank that could not be read, which the run would reject. */
  readonly accounts: readonly {
    readonly account: string;
    readonly failure: {
      /** A code of the error reference. */
      readonly code: string;
    } | null;
    readonly added: number;
    readonly updated: number;
    readonly removed: number;
    readonly skipped_by_rules: number;
    readonly unchanged: number;
    readonly unreadable: number;
  }[];
  /** The first rows, account by account; unchanged ones are not listed. */
  readonly data: readonly DryRunRow[];
  /** Whether there are more rows than those in data. */
  readonly truncated: boolean;
  /** Always true today. */
  readonly livemode: true;
};

/** One row that the next run would deliver, remove, or skip because of a rule. */
export type DryRunRow = {
  /** Which kind of object this is. */
  readonly object: 'dry_run_row';
  /** A run counts update and remove as updated. */
  readonly action: 'add' | 'update' | 'remove' | 'skip';
  /** Id of the account, acct_…. */
  readonly account: string;
  /** The id of the row. */
  readonly id: string;
  /** As it would be delivered; with skip, as the bank shows it; with remove, null. */
  readonly transaction: Transaction | null;
  /** The same for a sync of trades. */
  readonly trade: Trade | null;
  /** The same for a sync of holdings. */
  readonly holding: Holding | null;
  readonly memo: string | null;
  readonly tags: readonly string[];
  /** The rules that acted on the row, in their order. */
  readonly rules: readonly string[];
  /** The id under which the destination shows the row now, where that is another. */
  readonly replaces: string | null;
};

/** What the destination of a sync shows, compared with what the bank has. */
export type Verification = {
  /** Which kind of object this is. */
  readonly object: 'verification';
  /** Id of the sync, sync_…. */
  readonly sync: string;
  /** record: the destination cannot be read, so the bank was compared with what was delivered. */
  readonly compared_with: 'destination' | 'record';
  /** The accounts of the sync; failure says why one could not be read completely, unreadable how many of its rows could not be read, and rejected_by_last_run how many the last run could not deliver. */
  readonly accounts: readonly {
    readonly account: string;
    readonly failure: {
      /** A code of the error reference. */
      readonly code: string;
    } | null;
    readonly unreadable: number;
    readonly rejected_by_last_run: number;
  }[];
  /** Columns that the sync shows and that the destination does not have, or not so that they hold the field: no row was compared in them. */
  readonly columns: readonly {
    readonly name: string;
    readonly where: string | null;
    readonly problem: 'absent' | 'wrong_type';
    readonly remedy: 'run' | 'resync' | 'person';
  }[];
  /** destination and others are null if the destination was not read. others: rows there that belong to nothing that was compared. unreadable: rows of the bank that could not be read, and were not compared. not_compared: rows beyond the limit of one verification. */
  readonly counts: {
    readonly bank: number;
    readonly destination: number | null;
    readonly alike: number;
    readonly skipped_by_rules: number;
    readonly in_doubt: number;
    readonly others: number | null;
    readonly unreadable: number;
    readonly not_compared: number;
  };
  /** How many there are of each kind, listed or not. */
  readonly problems: {
    readonly missing: number;
    readonly extra: number;
    readonly different: number;
    readonly doubled: number;
  };
  /** The first problems. */
  readonly data: readonly VerificationProblem[];
  /** Whether there are more problems than those in data. */
  readonly truncated: boolean;
  /** Always true today. */
  readonly livemode: true;
};

/** One row that is not at the destination as it should. */
export type VerificationProblem = {
  /** Which kind of object this is. */
  readonly object: 'verification_problem';
  readonly kind: 'missing' | 'extra' | 'different' | 'doubled';
  /** Why, as far as the record of deliveries proves it. */
  readonly reason: 'not_delivered_yet' | 'refused' | 'removed_there' | 'withdrawn_by_bank' | 'still_there' | 'unknown_position' | 'edited_there' | 'account_differs' | 'changed_since' | 'change_refused' | 'replaced_since' | 'stands_twice';
  /** What removes it: the next run, a resync, or only a person. */
  readonly remedy: 'run' | 'resync' | 'person';
  /** Id of the account, acct_…. */
  readonly account: string;
  /** The id of the row. */
  readonly id: string;
  readonly date: string | null;
  /** How a person finds the row at the destination; null if it is not there or was not read. */
  readonly where: string | null;
  /** What of a refused row the destination cannot show; null if unknown. */
  readonly refusal: 'amount' | 'currency' | 'day' | 'size' | null;
  /** What a row that differs shows and should show; texts end after 100 characters. */
  readonly fields: readonly {
    readonly name: string;
    readonly expected: string | null;
    readonly found: string | null;
  }[];
};

export interface SyncsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those with one of these statuses. */
  readonly status?: readonly ('idle' | 'running' | 'attention')[] | undefined;
  /** Only those that are enabled, or only the others. */
  readonly enabled?: boolean | undefined;
  /** Only those of this destination, dest_…. */
  readonly destination?: string | undefined;
  /** Members that are null unless named here. */
  readonly include?: readonly 'latest_run'[] | undefined;
}

export interface SyncsCreateInput {
  /** Members that are null unless named here. */
  readonly include?: readonly 'latest_run'[] | undefined;
  /** holdings and trades need brokerage accounts. */
  readonly type: 'transactions' | 'holdings' | 'trades';
  /** For people. */
  readonly name: string;
  /** Id of the destination, dest_…. */
  readonly destination: string;
  /** Ids of accounts, acct_…. */
  readonly accounts: readonly string[];
  /** bulk: all accounts into one place; per_account: each where its mapping says. */
  readonly mapping_mode: 'bulk' | 'per_account';
  /** One for each account: account, and where its rows go. */
  readonly account_mappings?: readonly {
    readonly account: string;
    readonly destination_account?: string | null | undefined;
    readonly destination_account_name?: string | null | undefined;
    readonly sheet_id?: string | null | undefined;
    readonly sheet_name?: string | null | undefined;
  }[] | undefined;
  /** Names of fields, in order, for a destination with columns to choose from; null or absent: the standard columns. */
  readonly columns?: readonly string[] | null | undefined;
  readonly options?: {
    /** YYYY-MM-DD */
    readonly data_from?: string | undefined;
    readonly include_pending?: boolean | undefined;
    readonly mask_account_numbers?: boolean | undefined;
    readonly custom_categories?: boolean | undefined;
    readonly include_balances_tab?: boolean | undefined;
  } | undefined;
  /** interval_minutes, or times and timezone. Runs must be as far apart as the service requires, 360 minutes by default. null or absent: as often as it may. */
  readonly schedule?: {
    /** Minutes between two runs. */
    readonly interval_minutes?: number | undefined;
    /** Times of day at which it runs, HH:MM. */
    readonly times?: readonly string[] | undefined;
    /** The zone of the times, an IANA name such as Pacific/Auckland. */
    readonly timezone?: string | undefined;
  } | null | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Whether the first run is queued at once; true when absent. */
  readonly run_now?: boolean | undefined;
}

export interface SyncsGetInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'latest_run'[] | undefined;
}

export interface SyncsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'latest_run'[] | undefined;
  /** For people. */
  readonly name?: string | undefined;
  /** Whether it takes part; true when absent on creation. */
  readonly enabled?: boolean | undefined;
  /** All of them: those left out are no longer read. */
  readonly accounts?: readonly string[] | undefined;
  readonly account_mappings?: readonly {
    readonly account: string;
    readonly destination_account?: string | null | undefined;
    readonly destination_account_name?: string | null | undefined;
    readonly sheet_id?: string | null | undefined;
    readonly sheet_name?: string | null | undefined;
  }[] | undefined;
  /** All of them, in order; the next run writes older rows again. null: the standard columns. */
  readonly columns?: readonly string[] | null | undefined;
  readonly options?: {
    /** YYYY-MM-DD */
    readonly data_from?: string | undefined;
    readonly include_pending?: boolean | undefined;
    readonly mask_account_numbers?: boolean | undefined;
    readonly custom_categories?: boolean | undefined;
    readonly include_balances_tab?: boolean | undefined;
  } | undefined;
  /** From now on, as in create_sync; null: as often as it may. */
  readonly schedule?: {
    /** Minutes between two runs. */
    readonly interval_minutes?: number | undefined;
    /** Times of day at which it runs, HH:MM. */
    readonly times?: readonly string[] | undefined;
    /** The zone of the times, an IANA name such as Pacific/Auckland. */
    readonly timezone?: string | undefined;
  } | null | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface SyncsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SyncsListCategoryMappingsInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SyncsSetCategoryMappingsInput {
  /** Id of the object. */
  readonly id: string;
  readonly mappings: readonly {
    readonly provider_category: string;
    readonly destination_category: string | null;
    readonly destination_category_name?: string | null | undefined;
  }[];
}

export interface SyncsAttachRulesetsInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'latest_run'[] | undefined;
  /** What is attached from now on; empty detaches. */
  readonly rulesets: readonly string[];
}

export interface SyncsRunInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SyncsBackfillInput {
  /** Id of the object. */
  readonly id: string;
  /** First day, YYYY-MM-DD in the zone of each account. */
  readonly from: string;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
}

export interface SyncsResyncInput {
  /** Id of the object. */
  readonly id: string;
  /** Must be true. */
  readonly confirm: true;
}

export interface SyncsListRunsInput {
  /** Id of the object. */
  readonly id: string;
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only those with one of these statuses. */
  readonly status?: readonly ('queued' | 'running' | 'succeeded' | 'failed' | 'cancelled')[] | undefined;
  /** Members that are null unless named here. */
  readonly include?: readonly 'account_results'[] | undefined;
}

export interface SyncsListRejectedRowsInput {
  /** Id of the object. */
  readonly id: string;
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Only rows that this run, run_…, met last. */
  readonly sync_run?: string | undefined;
  /** Only rows that could not be read from the bank (provider), or that were refused (destination). */
  readonly origin?: 'provider' | 'destination' | undefined;
}

export interface SyncsDryRunInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SyncsVerifyInput {
  /** Id of the object. */
  readonly id: string;
}

export interface SyncsReplayInput {
  /** Id of the object. */
  readonly id: string;
  /** First day, YYYY-MM-DD in the zone of each account. */
  readonly from: string;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
}

export interface SyncsExportInput {
  /** Id of the object. */
  readonly id: string;
  /** csv (the default), jsonl (one JSON object a line) or ofx (OFX 2.2: posted transactions, one statement for each account). */
  readonly format?: 'csv' | 'jsonl' | 'ofx' | 'ofx1' | 'qif' | undefined;
  /** First day, YYYY-MM-DD in the zone of the account. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
  /** csv: whether the file begins with a byte order mark; false when absent. */
  readonly bom?: boolean | undefined;
  /** csv: whether a cell that begins like a formula and is no number gets an apostrophe in front; true when absent. */
  readonly defuse_formulas?: boolean | undefined;
  /** report: the answer is multipart/form-data with the file as its part file, and a JSON list {account, rows} of how many rows of which account could not be read as its part set_aside. omit, the default: the file alone. */
  readonly set_aside?: 'omit' | 'report' | undefined;
}

/** Copies of account data into destinations, on a schedule or on demand. */
export class Syncs {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List syncs.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  list(input: SyncsListInput = {}, options?: CallOptions): List<Sync> {
    return this.#calls.list(
      { id: 'list_syncs', method: 'GET', path: '/v2/syncs', query: ['limit', 'page', 'status[]', 'enabled', 'destination', 'include[]'] },
      input,
      options,
    );
  }

  /**
   * Create a sync and, unless run_now is false, queue its first run.
   *
   * The destination must be active and used by no other sync. `options.data_from` is the first day that is sent. It is clamped to the last 84 months and shown as clamped; without it the sync sends the last 6 months, 3 on trial. Unless `run_now` is false, `latest_run` is the queued first run.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  create(input: SyncsCreateInput, options?: CallOptions): Promise<Sync> {
    return this.#calls.one(
      { id: 'create_sync', method: 'POST', path: '/v2/syncs', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Read a sync.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  get(input: SyncsGetInput, options?: CallOptions): Promise<Sync> {
    return this.#calls.one(
      { id: 'get_sync', method: 'GET', path: '/v2/syncs/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Update a sync.
   *
   * Omitted fields are unchanged. A metadata key set to null is removed.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  update(input: SyncsUpdateInput, options?: CallOptions): Promise<Sync> {
    return this.#calls.one(
      { id: 'update_sync', method: 'POST', path: '/v2/syncs/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Delete a sync and its run history; the destination stays.
   *
   * Rulesets and the destination stay, and what was delivered.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  delete(input: SyncsDeleteInput, options?: CallOptions): Promise<DeletedSync> {
    return this.#calls.one(
      { id: 'delete_sync', method: 'DELETE', path: '/v2/syncs/:id' },
      input,
      options,
    );
  }

  /**
   * List the category mappings of a budgeting-app sync, in one answer.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  listCategoryMappings(input: SyncsListCategoryMappingsInput, options?: CallOptions): List<CategoryMapping> {
    return this.#calls.list(
      { id: 'list_category_mappings', method: 'GET', path: '/v2/syncs/:id/category_mappings' },
      input,
      options,
    );
  }

  /**
   * Replace the category mappings of a budgeting-app sync; null unmaps.
   *
   * Replaces the whole set: omitted mappings are removed.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  setCategoryMappings(input: SyncsSetCategoryMappingsInput, options?: CallOptions): List<CategoryMapping> {
    return this.#calls.list(
      { id: 'set_category_mappings', method: 'POST', path: '/v2/syncs/:id/category_mappings' },
      input,
      options,
    );
  }

  /**
   * Attach a ruleset to a sync, replacing the previous one; an empty list detaches.
   *
   * What is attached from now on, for the next run; an empty list detaches.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  attachRulesets(input: SyncsAttachRulesetsInput, options?: CallOptions): Promise<Sync> {
    return this.#calls.one(
      { id: 'attach_rulesets', method: 'POST', path: '/v2/syncs/:id/rulesets', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Queue a run of a sync.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  run(input: SyncsRunInput, options?: CallOptions): Promise<SyncRun> {
    return this.#calls.one(
      { id: 'run_sync', method: 'POST', path: '/v2/syncs/:id/run' },
      input,
      options,
    );
  }

  /**
   * Queue a run of a sync that reads a range of days and nothing else.
   *
   * Queues a run that reads the days from `from` to `to` again and delivers what is missing or changed there. Nothing else changes: not what later runs read, not when the sync runs next. Nothing from before `options.data_from` is delivered.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  backfill(input: SyncsBackfillInput, options?: CallOptions): Promise<SyncRun> {
    return this.#calls.one(
      { id: 'backfill_sync', method: 'POST', path: '/v2/syncs/:id/backfill' },
      input,
      options,
    );
  }

  /**
   * Forget what was delivered and deliver everything from data_from again.
   *
   * Rewinds to `options.data_from`. Rows that were delivered are delivered again, under the same ids.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  resync(input: SyncsResyncInput, options?: CallOptions): Promise<SyncRun> {
    return this.#calls.one(
      { id: 'resync', method: 'POST', path: '/v2/syncs/:id/resync' },
      input,
      options,
    );
  }

  /**
   * List a sync's runs of the last 90 days.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  listRuns(input: SyncsListRunsInput, options?: CallOptions): List<SyncRun> {
    return this.#calls.list(
      { id: 'list_sync_runs', method: 'GET', path: '/v2/syncs/:id/runs', query: ['limit', 'page', 'status[]', 'include[]'] },
      input,
      options,
    );
  }

  /**
   * List the rows that a sync could not deliver.
   *
   * At most 1,000 rows of a sync are remembered. A row that was delivered since, or that the bank has no more, is not listed any more.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  listRejectedRows(input: SyncsListRejectedRowsInput, options?: CallOptions): List<RejectedRow> {
    return this.#calls.list(
      { id: 'list_rejected_rows', method: 'GET', path: '/v2/syncs/:id/rejected_rows', query: ['limit', 'page', 'sync_run', 'origin'] },
      input,
      options,
    );
  }

  /**
   * Show what the next run of a sync would do; nothing is written.
   *
   * Reads what the next run would read, passes it through categories and rules, and compares it with what was delivered. Writes nothing, calls no destination and starts no run. An account that cannot be read has a `failure`.
   *
   * Needs `syncs:read` and `data:read`. Rate tier: `heavy`.
   */
  dryRun(input: SyncsDryRunInput, options?: CallOptions): Promise<DryRun> {
    return this.#calls.one(
      { id: 'dry_run_sync', method: 'POST', path: '/v2/syncs/:id/dry_run' },
      input,
      options,
    );
  }

  /**
   * Compare the destination of a sync with the bank, row by row; nothing is written.
   *
   * Reads the whole window of every account at the bank, and the destination where it can be read, and reports row by row what is missing, extra, different or there twice. Writes nothing and starts no run.
   *
   * Needs `syncs:read` and `data:read`. Rate tier: `heavy`.
   */
  verify(input: SyncsVerifyInput, options?: CallOptions): Promise<Verification> {
    return this.#calls.one(
      { id: 'verify_sync', method: 'POST', path: '/v2/syncs/:id/verify' },
      input,
      options,
    );
  }

  /**
   * Send what a webhook received of a range of days to it again, as the bank has it now.
   *
   * Outside a run: `metadata.sync_run_id` is null, event ids are new, rows are in `data.new`. Sends the rows of these days that were delivered before, and no others.
   *
   * Needs `syncs:write`. Rate tier: `heavy`.
   */
  replay(input: SyncsReplayInput, options?: CallOptions): Promise<WebhookReplay> {
    return this.#calls.one(
      { id: 'replay_sync', method: 'POST', path: '/v2/syncs/:id/replay' },
      input,
      options,
    );
  }

  /**
   * Export the rows of a sync's accounts as the sync delivers them.
   *
   * Reads the bank live and streams the rows as the sync delivers them: after categories and rules, from `options.data_from` on. If an export cannot be completed, its connection is aborted.
   *
   * Needs `syncs:read` and `data:read`. Rate tier: `heavy`.
   */
  export(input: SyncsExportInput, options?: CallOptions): Promise<Response> {
    return this.#calls.stream(
      { id: 'export_sync', method: 'GET', path: '/v2/syncs/:id/export', query: ['format', 'from', 'to', 'bom', 'defuse_formulas', 'set_aside'] },
      input,
      options,
    );
  }
}
