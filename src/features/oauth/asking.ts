import { AsyncLocalStorage } from 'node:async_hooks';
import type { RowId } from '../../vocabulary/ids.ts';

/** Who is behind a request that the library handles, which its storage cannot know otherwise. */
export interface Asking {
  /** The signed-in person; null where nobody is. */
  readonly user: RowId<'user'> | null;
  /** Where the request comes from. */
  readonly address: string;
}

export const asking = new AsyncLocalStorage<Asking>();
