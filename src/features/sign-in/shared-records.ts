import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import {
  type RecordNeeds,
  type SharedRecord,
  sharedRecordNeeds,
  sharedRecords,
  sharedRecordWith,
} from '../../storage/shared-records.ts';
import type { RowId } from '../../vocabulary/ids.ts';

/** As many as a list shows at a time. */
const PAGE_SIZE = 25;
/** As many as one choice offers; a person with more chooses among the others by switching. */
const MOST_CHOICES = 200;

type User = RowId<'user'>;

/** A page of a list, and whether another follows. */
interface Listed<T> {
  readonly records: readonly T[];
  readonly more: boolean;
}

/** All account records of one person, across which nothing else looks (docs/several-clients.md). */
export class SharedRecords {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The first ones, by name. */
  async first(user: User): Promise<Listed<SharedRecord>> {
    return cut(await sharedRecords(this.#db, user, { limit: PAGE_SIZE + 1, offset: 0 }));
  }

  /** All of them to choose from, by name. */
  choices(user: User): Promise<SharedRecord[]> {
    return sharedRecords(this.#db, user, { limit: MOST_CHOICES, offset: 0 });
  }

  /** A page of them with what each needs; `page` counts from 0. Reads nothing from banks. */
  async needs(user: User, page: number): Promise<Listed<SharedRecord & RecordNeeds>> {
    const asked = { limit: PAGE_SIZE + 1, offset: page * PAGE_SIZE };
    return cut(await sharedRecordNeeds(this.#db, user, new Date(this.#clock.now()), asked));
  }

  /** The one that has the resource of this id; null if none of the person's has it. */
  holderOf(user: User, id: string): Promise<SharedRecord | null> {
    return sharedRecordWith(this.#db, user, id);
  }
}

function cut<T>(found: readonly T[]): Listed<T> {
  return { records: found.slice(0, PAGE_SIZE), more: found.length > PAGE_SIZE };
}
