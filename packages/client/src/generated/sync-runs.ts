// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';

/** One execution of a sync. */
export type SyncRun = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'sync_run';
  /** Id of the sync, sync_…. */
  readonly sync: string;
  /** Id of the destination, dest_…. */
  readonly destination: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** What queued it. */
  readonly trigger: 'schedule' | 'api' | 'dashboard' | 'webhook' | 'resync';
  /** The only days that a backfill reads, both included. null: what is due. */
  readonly range: {
    /** YYYY-MM-DD */
    readonly from: string;
    /** YYYY-MM-DD */
    readonly to: string;
  } | null;
  /** The outcome of the rows that were read. rejected: they could not be read, or the destination refused them. */
  readonly counts: {
    readonly processed: number;
    readonly added: number;
    readonly updated: number;
    readonly rejected: number;
    readonly skipped_by_rules: number;
  };
  /** How many of the rejected rows the list of the sync has no room for. */
  readonly rejected_unlisted: number;
  /** Why it failed, once it has; retryable: running it again can help. */
  readonly failure: {
    readonly code: 'destination_auth_failed' | 'destination_resource_missing' | 'rate_limited' | 'timeout' | 'superseded' | 'run_failed';
    readonly retryable: boolean;
  } | null;
  readonly account_results: readonly {
    readonly account: string;
    readonly status: 'waiting' | 'succeeded' | 'failed' | 'incomplete';
    readonly counts: {
      readonly processed: number;
      readonly added: number;
      readonly updated: number;
      readonly rejected: number;
      readonly skipped_by_rules: number;
    };
    readonly failure: {
      /** A code of the error reference. */
      readonly code: string;
    } | null;
  }[] | null;
  /** When the work began. */
  readonly started_at: string | null;
  /** When it was done. */
  readonly completed_at: string | null;
  /** So far, while the run is under way. */
  readonly duration_ms: number;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
};

export interface SyncRunsGetInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'account_results'[] | undefined;
}

export interface SyncRunsCancelInput {
  /** Id of the object. */
  readonly id: string;
}

/** Executions of syncs. */
export class SyncRuns {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * Read a run.
   *
   * Needs `syncs:read`. Rate tier: `cheap`.
   */
  get(input: SyncRunsGetInput, options?: CallOptions): Promise<SyncRun> {
    return this.#calls.one(
      { id: 'get_sync_run', method: 'GET', path: '/v2/sync_runs/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Cancel a run that is still queued.
   *
   * Needs `syncs:write`. Rate tier: `mutating`.
   */
  cancel(input: SyncRunsCancelInput, options?: CallOptions): Promise<SyncRun> {
    return this.#calls.one(
      { id: 'cancel_sync_run', method: 'POST', path: '/v2/sync_runs/:id/cancel' },
      input,
      options,
    );
  }
}
