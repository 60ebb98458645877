import {
  type InfiniteData,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Category, Rule, Ruleset, Transaction } from '#client';
import { resolveCategory } from '../../../src/vocabulary/provider-categories.ts';
import { assignCategory, type Claim, categories, changeClaims, type Undoing } from '../api/categories.ts';
import { api } from '../api/client.ts';
import { heldRows } from '../api/held-rows.ts';
import { rulesets } from '../api/rulesets.ts';
import { offerUndo } from '../parts/undo.tsx';
import type { Undoable } from '../parts/undo-offer.tsx';
import { CLAIMS } from '../text/categories.ts';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { claimsOf, codeLabels } from './category-options.ts';
import { conditionsOf, type LikeThis } from './like-this.ts';
import type { Slice } from './reads.ts';
import { recategorised } from './recategorised.ts';
import type { RulesetChoice } from './ruleset-fields.tsx';

interface ClaimToMake {
  readonly category: Category;
  readonly codes: readonly string[];
  /** What is offered afterwards, besides undoing it. */
  readonly also: NonNullable<Undoable['also']>;
}

interface RowsToChange {
  /** Null for what the codes of the rows lead to. */
  readonly category: Category | null;
  /** Posted ones. */
  readonly rows: readonly Transaction[];
  readonly also?: NonNullable<Undoable['also']>;
}

interface RuleToMake {
  readonly category: Category;
  readonly like: LikeThis;
  readonly into: RulesetChoice;
}

/** A rule that was made, and the ruleset it is in. */
export interface MadeRule {
  readonly rule: Rule;
  readonly ruleset: Ruleset;
}

interface CategoryChange {
  readonly these: UseMutationResult<Undoing, Error, RowsToChange>;
  readonly claim: UseMutationResult<Claim, Error, ClaimToMake>;
  readonly rule: UseMutationResult<MadeRule, Error, RuleToMake>;
}

const MOST_NAME = 200;

/** Changes what a category gets, by a claim or by a rule. */
export function useCategoryChange(): CategoryChange {
  const queries = useQueryClient();
  /** What was read, with rows replaced; the bank is not asked again. */
  const showChanged = (shown: (row: Transaction) => Transaction) => {
    heldRows.change(shown);
    for (const name of ['histories', 'latest-transactions']) queries.invalidateQueries({ queryKey: [name] });
    queries.setQueriesData<InfiniteData<Slice>>({ queryKey: ['transactions'] }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((slice) => ({ ...slice, rows: slice.rows.map(shown) })),
          },
    );
  };
  /** The rows as v2 shows them now that these have been given what the map says; null for what their codes lead to. */
  const showAssigned = async (given: ReadonlyMap<string, string | null>) => {
    const claims = claimsOf(await queries.fetchQuery({ ...categories, staleTime: 60_000 }));
    showChanged((row) => {
      const own = given.get(row.id);
      if (own === undefined) return row;
      const code = { provider_category: row.provider_category, primary_category: null };
      return { ...row, category: own ?? resolveCategory(code, claims) };
    });
  };
  /** The rows that were read, as v2 would show them now; the bank is not asked again. */
  const showClaims = async (codes: readonly string[]) => {
    const before = claimsOf(queries.getQueryData(categories.queryKey) ?? []);
    await queries.invalidateQueries({ queryKey: categories.queryKey });
    const claims = claimsOf(await queries.fetchQuery(categories));
    showChanged((row) => recategorised(row, codes, claims, before));
  };
  const these = useMutation({
    mutationFn: ({ category, rows }: RowsToChange) => assignCategory(category?.id ?? null, rows),
    onSuccess: async (undo, { category, rows, also }) => {
      const given = new Map(rows.map(({ id }) => [id, category?.id ?? null]));
      offerUndo({
        title: CATEGORY_CHANGE.claimDone,
        text: CATEGORY_CHANGE.theseDoneText(rows.length, category?.name ?? CATEGORY_CHANGE.byBank),
        undo: async (undoing) => showAssigned(await undo(undoing)),
        failed: CATEGORY_CHANGE.failed.undo,
        ...(also !== undefined && { also }),
      });
      await showAssigned(given);
    },
  });
  const claim = useMutation({
    mutationFn: ({ category, codes }: ClaimToMake) => changeClaims(category.id, { add: codes }),
    onSuccess: async ({ undo }, { category, codes, also }) => {
      offerUndo({
        title: CATEGORY_CHANGE.claimDone,
        text: CATEGORY_CHANGE.claimDoneText(codeLabels(codes), category.name),
        undo: async (undoing) => {
          const left = await undo(undoing).finally(() => showClaims(codes));
          return CLAIMS.left(left);
        },
        failed: CATEGORY_CHANGE.failed.undo,
        also,
      });
      await showClaims(codes);
    },
  });
  const rule = useMutation({
    mutationFn: async ({ category, like, into }: RuleToMake) => {
      const ruleset = into.ruleset ?? (await api.rulesets.create({ name: into.name.trim() }));
      // Where adding the rule fails, the ruleset is there to be chosen the next time.
      queries.setQueryData(rulesets.queryKey, (known = []) =>
        known.some(({ id }) => id === ruleset.id) ? known : [...known, ruleset],
      );
      const name = CATEGORY_CHANGE.ruleName(category.name, like.text).slice(0, MOST_NAME);
      const made = await api.rulesets.createRule({
        id: ruleset.id,
        name,
        enabled: true,
        conditions: conditionsOf(like),
        actions: [{ type: 'set_category', value: category.id }],
        stop: false,
      });
      return { rule: made, ruleset };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rulesets.queryKey }),
  });
  return { these, claim, rule };
}
