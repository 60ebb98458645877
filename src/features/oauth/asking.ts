import { AsyncLocalStorage } from 'node:async_hooks';
import type { RowId } from '../../vocabulary/ids.ts';

/** Who made a request that the library handles; its storage has no other way to know. */
export interface Asking {
  /** The signed-in person, or null. */
  readonly user: RowId<'user'> | null;
  /** Where the request comes from. */
  readonly address: string;
}

export const asking = new AsyncLocalStorage<Asking>();
