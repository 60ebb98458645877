/** What the service's thread asks of the database's thread, and what comes back. Plain data: it is cloned across. */
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

/** What is passed on of an error: the members Postgres gives it, by which code distinguishes failures. */
export interface Fault {
  readonly message: string;
  readonly members: Readonly<Record<string, string>>;
  /** Postgres has broken down: nothing more is to be asked of this thread. */
  readonly fatal: boolean;
}

export type Answer =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'fault'; readonly id: number; readonly fault: Fault }
  | { readonly kind: 'notification'; readonly channel: string; readonly payload: string }
  | { readonly kind: 'ready' };

/** bigint counts and ids of ours stay far below 2^53, and money never enters the database. */
export const INT8 = 20;

/** Where the database lies and which types are read how. */
export interface ThreadSettings {
  readonly location: string;
}
