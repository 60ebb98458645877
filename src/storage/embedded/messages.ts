/** Requests of the service's thread to the database's thread, and the answers. Plain data, because it is cloned. */
export type Request =
  | {
      readonly kind: 'query';
      readonly sql: string;
      readonly params: readonly unknown[];
      readonly transaction: number | null;
    }
  | { readonly kind: 'exec'; readonly sql: string }
  | { readonly kind: 'begin'; readonly transaction: number }
  | { readonly kind: 'commit' | 'rollback'; readonly transaction: number }
  | { readonly kind: 'listen' | 'unlisten'; readonly channel: string }
  | { readonly kind: 'close' };

export interface Asked {
  readonly id: number;
  readonly request: Request;
}

/** What is passed on of an error: the members from Postgres that code uses to distinguish failures. */
export interface Fault {
  readonly message: string;
  readonly members: Readonly<Record<string, string>>;
  /** Postgres has crashed: nothing more may be sent to this thread. */
  readonly fatal: boolean;
}

export type Answer =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'ready' };

/** our bigint counts and ids stay far below 2^53, and money never enters the database. */
export const INT8 = 20;

/** Where the database is and how types are parsed. */
export interface ThreadSettings {
  readonly location: string;
  /** Whether it is for a few statements only, so that optimised code is not worth compiling. */
  readonly brief: boolean;
}

/** A transaction of the embedded database, as Kysely uses one. */
export interface EmbeddedTransaction {
  query<T>(sql: string, params?: unknown[]): Promise<EmbeddedRows<T>>;
  rollback(): Promise<void>;
}

export interface EmbeddedRows<T> {
  rows: T[];
  affectedRows?: number;
  fields: { name: string; dataTypeID: number }[];
}
