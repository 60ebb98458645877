import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import { type CountedRule, insertRules, type RuleRow, rulesOfRulesets } from '../../storage/rules.ts';
import {
  type CountedRuleset,
  countRulesets,
  deleteRuleset,
  findRuleset,
  insertRuleset,
  listRulesets,
  lockRuleset,
  type RulesetRow,
  updateRuleset,
} from '../../storage/rulesets.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS, type Limits } from '../../vocabulary/limits.ts';
import {
  type Metadata,
  type MetadataPatch,
  mergeMetadata,
  requireFittingMetadata,
} from '../../vocabulary/metadata.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import { requireMetadataRoom } from '../access/metadata-room.ts';

type Id = RowId<'ruleset'>;

/** A ruleset as its owner sees it; `rules` in their order, null if they were not requested. */
export interface Ruleset {
  readonly id: Id;
  readonly row: CountedRuleset;
  readonly rules: readonly CountedRule[] | null;
}

export interface NewRuleset {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly metadata: Metadata | null;
}

export interface RulesetPatch {
  readonly name?: string;
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly metadata?: MetadataPatch;
}

export interface RulesetsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}

const COPY_OF = 'Copy of ';

/** Sets of rules that transform rows on their way to a destination (docs/rules.md). */
export class Rulesets {
  readonly #deps: RulesetsDependencies;

  constructor(deps: RulesetsDependencies) {
    this.#deps = deps;
  }

  /** Raises `parameter_invalid` if the account record has the maximum, and `ruleset_create_failed`. */
  async create(owner: OwnerId, input: NewRuleset, withRules: boolean): Promise<Ruleset> {
    const { db, clock, limits } = this.#deps;
    requireFittingMetadata(input.metadata, limits.metadata_pairs);
    const row = this.#newRow(owner, input);
    await inRetryableTransaction(db, 'ruleset_create_failed', async (trx) => {
      await this.#requirePlace(trx, owner);
      await insertRuleset(trx, row);
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'rulesets', owner, now: clock.now() },
        { before: null, after: row.metadata },
      );
    });
    return this.read(owner, row.id, withRules);
  }

  /** Raises `resource_missing`. */
  async read(owner: OwnerId, id: Id, withRules: boolean): Promise<Ruleset> {
    const { db } = this.#deps;
    const row = await findRuleset(db, owner, id);
    if (row === null) throw missing('ruleset');
    return { id, row, rules: withRules ? await rulesOfRulesets(db, owner, [id]) : null };
  }

  async list(owner: OwnerId, page: PageRequest, withRules: boolean): Promise<Page<Ruleset>> {
    const { db } = this.#deps;
    const found = await listRulesets(db, owner, page);
    const ids = found.items.map((row) => row.id);
    const rules = withRules ? await rulesOfRulesets(db, owner, ids) : null;
    const items = found.items.map((row) => ({
      id: row.id,
      row,
      rules: rules?.filter((rule) => rule.ruleset === row.id) ?? null,
    }));
    return { ...found, items };
  }

  /** Raises `resource_missing` and `parameter_invalid`. */
  async update(owner: OwnerId, id: Id, patch: RulesetPatch, withRules: boolean): Promise<Ruleset> {
    const { db, clock, limits } = this.#deps;
    await db.transaction().execute(async (trx) => {
      const old = await lockRuleset(trx, owner, id);
      if (old === null) throw missing('ruleset');
      const metadata = patch.metadata && mergeMetadata(old.metadata, patch.metadata);
      requireFittingMetadata(metadata, limits.metadata_pairs);
      await updateRuleset(trx, owner, id, {
        ...(patch.name === undefined ? {} : { name: patch.name }),
        ...(patch.description === undefined ? {} : { description: patch.description }),
        ...(patch.enabled === undefined ? {} : { enabled: patch.enabled }),
        ...(metadata === undefined ? {} : { metadata }),
        updated: new Date(clock.now()),
      });
      await requireMetadataRoom(
        trx,
        limits,
        { table: 'rulesets', owner, now: clock.now() },
        { before: old.metadata, after: metadata },
      );
    });
    return this.read(owner, id, withRules);
  }

  /** With its rules; syncs to which it is attached continue without it. Raises `resource_missing`. */
  async delete(owner: OwnerId, id: Id): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      if ((await lockRuleset(trx, owner, id)) === null) throw missing('ruleset');
      await deleteRuleset(trx, owner, id);
    });
  }

  /**
   * A copy with the same rules in the same order, with no hits and attached to nothing. Raises `resource_missing`,
   * `parameter_invalid` if there is no room for another, and `ruleset_duplicate_failed`.
   */
  async duplicate(owner: OwnerId, id: Id, withRules: boolean): Promise<Ruleset> {
    const { db } = this.#deps;
    const copy = await inRetryableTransaction(db, 'ruleset_duplicate_failed', async (trx) => {
      await this.#requirePlace(trx, owner);
      const old = await lockRuleset(trx, owner, id);
      if (old === null) throw missing('ruleset');
      // By whole characters, as they are counted, because half of one cannot be stored.
      const name = [...`${COPY_OF}${old.name}`].slice(0, FIXED_LIMITS.name_characters).join('');
      const row = this.#newRow(owner, { ...old, name });
      await insertRuleset(trx, row);
      await insertRules(trx, this.#copies(await rulesOfRulesets(trx, owner, [id]), row));
      return row.id;
    });
    return this.read(owner, copy, withRules);
  }

  #copies(rules: readonly CountedRule[], { id: ruleset, created }: RulesetRow): RuleRow[] {
    return rules.map(({ hits: _hits, last_hit_at: _lastHitAt, ...rule }) => ({
      ...rule,
      id: rowId('rule', newRowId(this.#deps.clock)),
      ruleset,
      created,
      updated: created,
    }));
  }

  #newRow(owner: OwnerId, { name, description, enabled, metadata }: NewRuleset): RulesetRow {
    const { clock } = this.#deps;
    const id = rowId('ruleset', newRowId(clock));
    const now = new Date(clock.now());
    return { id, account_record: owner, name, description, enabled, metadata, created: now, updated: now };
  }

  /** Under the account record's lock, so that two concurrent requests cannot both take the last slot. */
  async #requirePlace(trx: Trx, owner: OwnerId): Promise<void> {
    const { limits } = this.#deps;
    await lockAccountRecord(trx, owner);
    if ((await countRulesets(trx, owner)) < limits.rulesets) return;
    throw new ServiceError('parameter_invalid', {
      message: `There are already ${limits.rulesets} rulesets, which is the maximum; delete one first.`,
    });
  }
}
