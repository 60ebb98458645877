import { EventLoopBudget } from '../../platform/event-loop-budget.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import type { Db } from '../../storage/database.ts';
import { rulesOfRulesets } from '../../storage/rules.ts';
import { findRuleset } from '../../storage/rulesets.ts';
import { type OwnerId, publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import type { RuleBody } from '../../vocabulary/rules.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Taxonomies } from '../categories/taxonomies.ts';
import type { AccountReads, TransactionQuery } from '../reads/account-reads.ts';
import { type CompiledRules, compileRules, type Ruled } from '../rules/compile-rules.ts';
import { type GivenRule, parseRule, requireFewPatterns } from '../rules/parse-rule.ts';
import { validatedPatternLimits } from '../rules/pattern.ts';
import { requireOwnReferences } from '../rules/references.ts';
import { type WorkingRow, workingRow } from '../rules/working-row.ts';

const RETRY_SECONDS = 1;

export interface PreviewRequest extends TransactionQuery {
  /** How many rows, newest first. */
  readonly limit: number;
  /** Rules to try in place of the saved ones. */
  readonly rules: readonly GivenRule[] | null;
}

export interface PreviewedRow {
  readonly before: WorkingRow;
  readonly after: WorkingRow | null;
  readonly changed: boolean;
  /** Indexes of the rules that acted. */
  readonly hits: readonly number[];
}

export interface Preview {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly rows: readonly PreviewedRow[];
  /** The rules in their order, `id` null for those of the request, with how many rows each acted on. */
  readonly rules: readonly {
    readonly id: RowId<'rule'> | null;
    readonly body: RuleBody;
    readonly hits: number;
  }[];
  /** Whether the window has more rows than were read. */
  readonly truncated: boolean;
}

export interface RulesetPreviewDependencies {
  readonly db: Db;
  readonly limits: Limits;
  readonly accountReads: Pick<AccountReads, 'transactions'>;
  readonly taxonomies: Pick<Taxonomies, 'of'>;
}

/** What a ruleset would do to the rows that an account has now. Nothing is written, not even a count. */
export class RulesetPreview {
  readonly #deps: RulesetPreviewDependencies;
  /**
   * Patterns take processor time to compile and apply, so previews at a time are limited, and divided between account
   * records.
   */
  readonly #turns: FairSlots;

  constructor(deps: RulesetPreviewDependencies) {
    this.#deps = deps;
    this.#turns = new FairSlots({
      slots: deps.limits.previews_at_once,
      waiting: deps.limits.lists_waiting,
      share: 1,
    });
  }

  /**
   * A disabled ruleset is tried like any other; disabled rules are ignored. Raises `resource_missing`, what a rule
   * raises when it is saved (`rules[n].…`), and what a read of transactions raises.
   */
  async preview(
    owner: OwnerId,
    ruleset: RowId<'ruleset'>,
    request: PreviewRequest,
    signal: AbortSignal,
  ): Promise<Preview> {
    const { db, limits, accountReads, taxonomies } = this.#deps;
    if (request.limit > limits.preview_rows) {
      throw invalidParameter('limit', `limit must be between 1 and ${limits.preview_rows}.`);
    }
    if ((await findRuleset(db, owner, ruleset)) === null) throw missing('ruleset');
    const rules = await this.#inTurn(owner, signal, () => this.#rules(owner, ruleset, request.rules));
    const list = await accountReads.transactions(owner, request, signal);
    const { categories } = await taxonomies.of(owner);
    const account = publicId('account', request.account);
    const seen = list.rows.slice(0, request.limit);
    const rows = await this.#inTurn(owner, signal, async () => {
      const bodies = rules.map(({ body }) => body);
      const apply = compileRules(bodies, { limits: validatedPatternLimits(limits), categories });
      return previewed(seen, apply, signal, (row) => workingRow(row, account, list.categoryOf(row)));
    });
    const hits = rules.map(() => 0);
    for (const row of rows) for (const place of row.hits) hits[place] = (hits[place] ?? 0) + 1;
    return {
      from: list.from,
      to: list.to,
      rows,
      rules: rules.map((rule, place) => ({ ...rule, hits: hits[place] ?? 0 })),
      truncated: list.truncated || list.rows.length > seen.length,
    };
  }

  async #inTurn<T>(owner: OwnerId, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const give = await this.#turns.take(owner, signal).catch((error: unknown) => {
      if (!(error instanceof SlotsFull)) throw error;
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Too many previews of this account are waiting; wait for their answers first.',
        retryAfterSeconds: RETRY_SECONDS,
        cause: error,
      });
    });
    try {
      return await work();
    } finally {
      // Requests of other account records that arrived meanwhile go before the next preview.
      setImmediate(give);
    }
  }

  async #rules(owner: OwnerId, ruleset: RowId<'ruleset'>, given: readonly GivenRule[] | null) {
    const { db, limits } = this.#deps;
    if (given === null) {
      const saved = await rulesOfRulesets(db, owner, [ruleset]);
      return saved.map((rule) => ({ id: rule.id, body: rule }));
    }
    if (given.length > limits.ruleset_rules) {
      throw invalidParameter('rules', `A ruleset can have at most ${limits.ruleset_rules} rules.`);
    }
    const budget = new EventLoopBudget();
    const bodies: RuleBody[] = [];
    for (const [at, rule] of given.entries()) {
      bodies.push(parseRule(rule, limits, `rules[${at}].`));
      if (budget.spent) await budget.yieldToEventLoop();
    }
    requireFewPatterns(bodies, limits, 'rules');
    for (const [at, body] of bodies.entries()) await requireOwnReferences(db, owner, body, `rules[${at}].`);
    return bodies.map((body) => ({ id: null, body }));
  }
}

async function previewed(
  rows: readonly Transaction[],
  apply: CompiledRules,
  signal: AbortSignal,
  begin: (row: Transaction) => WorkingRow,
): Promise<PreviewedRow[]> {
  const budget = new EventLoopBudget();
  const done: PreviewedRow[] = [];
  for (const row of rows) {
    const before = begin(row);
    const { row: after, hits }: Ruled = apply(before);
    done.push({ before, after, hits, changed: after !== null && differs(before, after) });
    if (!budget.spent) continue;
    await budget.yieldToEventLoop();
    signal.throwIfAborted();
  }
  return done;
}

/** A rule may set the value that was there already. */
function differs(before: WorkingRow, after: WorkingRow): boolean {
  if (before === after) return false;
  return JSON.stringify(shown(before)) !== JSON.stringify(shown(after));
}

function shown({ transaction, category, memo, tags }: WorkingRow) {
  const { description, merchant_name, reference, amount } = transaction;
  return [description, merchant_name, reference, amount.amount, category, memo, tags];
}
