// Generated from the operation table by `npm run client`. Changes here are lost.

import type { CallOptions, Calls } from '../calls.ts';
import type { List } from '../list.ts';
import type { Transaction } from './transactions.ts';

/** Up to 50 rules in an order. One ruleset is attached to a sync. */
export type Ruleset = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'ruleset';
  /** For people. */
  readonly name: string;
  readonly description: string | null;
  /** Whether it takes part. */
  readonly enabled: boolean;
  /** Only with include[]=rules. */
  readonly rules: readonly Rule[] | null;
  readonly rule_count: number;
  /** Syncs it is attached to. */
  readonly sync_count: number;
  /** Up to 50 pairs of text of your own. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

/** When its conditions hold for a row, its actions are applied; the rules after it see the changed row. */
export type Rule = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'rule';
  /** Id of the ruleset, rset_…. */
  readonly ruleset: string;
  /** For people. */
  readonly name: string | null;
  /** Place among the rules of the ruleset, from 0. */
  readonly position: number;
  /** Whether it takes part. */
  readonly enabled: boolean;
  /** A tree of all, any and not over conditions on fields; null: every row. */
  readonly conditions: RuleCondition | null;
  /** What is done to the row, in order. */
  readonly actions: readonly RuleAction[];
  /** Whether later rules skip a row this one acted on. */
  readonly stop: boolean;
  /** Rows it acted on in syncs. */
  readonly hits: number;
  readonly last_hit_at: string | null;
  /** Always true today. */
  readonly livemode: true;
  /** RFC 3339, UTC, with milliseconds. */
  readonly created: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly updated: string;
};

/** A tree of all, any and not over conditions on fields. Which operators a field takes follows its kind; amounts are decimal texts without a sign, days YYYY-MM-DD. case_sensitive goes with operators that compare texts. */
export type RuleCondition = {
  readonly all: readonly RuleCondition[];
} | {
  readonly any: readonly RuleCondition[];
} | {
  readonly not: RuleCondition;
} | {
  readonly field: 'description' | 'extended_description' | 'merchant_name' | 'reference' | 'amount' | 'currency' | 'direction' | 'status' | 'class' | 'date' | 'provider_category' | 'merchant_category_code' | 'category' | 'account';
  readonly operator: 'equals' | 'not_equals' | 'contains' | 'not_contains' | 'starts_with' | 'ends_with' | 'matches' | 'gt' | 'gte' | 'lt' | 'lte';
  readonly value: string;
  readonly case_sensitive?: boolean | undefined;
} | {
  readonly field: 'description' | 'extended_description' | 'merchant_name' | 'reference' | 'amount' | 'currency' | 'direction' | 'status' | 'class' | 'date' | 'provider_category' | 'merchant_category_code' | 'category' | 'account';
  readonly operator: 'in' | 'not_in';
  readonly value: readonly string[];
  readonly case_sensitive?: boolean | undefined;
} | {
  readonly field: 'description' | 'extended_description' | 'merchant_name' | 'reference' | 'amount' | 'currency' | 'direction' | 'status' | 'class' | 'date' | 'provider_category' | 'merchant_category_code' | 'category' | 'account';
  readonly operator: 'between';
  readonly value: readonly string[];
  readonly case_sensitive?: boolean | undefined;
} | {
  readonly field: 'description' | 'extended_description' | 'merchant_name' | 'reference' | 'amount' | 'currency' | 'direction' | 'status' | 'class' | 'date' | 'provider_category' | 'merchant_category_code' | 'category' | 'account';
  readonly operator: 'is_empty' | 'is_not_empty';
  readonly value?: null | undefined;
  readonly case_sensitive?: boolean | undefined;
};

/** One action on a row. skip must be the only action of its rule. */
export type RuleAction = {
  readonly type: 'set_description';
  readonly value: string;
} | {
  readonly type: 'replace_text';
  readonly field: 'description' | 'merchant_name' | 'reference';
  readonly find: string;
  readonly value: string;
  readonly case_sensitive?: boolean | undefined;
} | {
  readonly type: 'set_merchant';
  readonly value: string;
} | {
  readonly type: 'set_category';
  readonly value: string | null;
} | {
  readonly type: 'set_memo';
  readonly value: string;
} | {
  readonly type: 'flip_sign';
} | {
  readonly type: 'add_tag';
  readonly value: string;
} | {
  readonly type: 'skip';
};

export type DeletedRuleset = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'ruleset';
  readonly deleted: true;
};

/** The effect of a ruleset on the rows an account has now. */
export type RulesetPreview = {
  /** Which kind of object this is. */
  readonly object: 'ruleset_preview';
  /** Id of the ruleset, rset_…. */
  readonly ruleset: string;
  /** Id of the account, acct_…. */
  readonly account: string;
  /** YYYY-MM-DD */
  readonly from: string;
  /** YYYY-MM-DD */
  readonly to: string;
  /** Whether there are more rows than were shown. */
  readonly truncated: boolean;
  readonly totals: {
    readonly rows: number;
    readonly matched: number;
    readonly changed: number;
    readonly skipped: number;
  };
  readonly rules: readonly {
    readonly rule: string | null;
    readonly position: number;
    readonly name: string | null;
    readonly hits: number;
  }[];
  /** Each row before and after; after is null if it is skipped. */
  readonly rows: readonly RulesetPreviewRow[];
  /** Always true today. */
  readonly livemode: true;
};

export type RulesetPreviewRow = {
  readonly before: Transaction;
  readonly after: Transaction | null;
  readonly memo: string | null;
  readonly tags: readonly string[];
  readonly changed: boolean;
  readonly skipped: boolean;
  readonly rules: readonly {
    readonly rule: string | null;
    readonly position: number;
  }[];
};

export type DeletedRule = {
  /** Prefixed and opaque. */
  readonly id: string;
  /** Which kind of object this is. */
  readonly object: 'rule';
  readonly deleted: true;
};

export interface RulesetsListInput {
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
}

export interface RulesetsCreateInput {
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
  /** For people. */
  readonly name: string;
  readonly description?: string | null | undefined;
  /** Whether it takes part; true when absent on creation. */
  readonly enabled?: boolean | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

export interface RulesetsGetInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
}

export interface RulesetsUpdateInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
  /** For people. */
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  /** Whether it takes part; true when absent on creation. */
  readonly enabled?: boolean | undefined;
  /** Up to 50 pairs of text of your own: keys up to 40 characters, values up to 500. */
  readonly metadata?: Readonly<Record<string, string | null>> | undefined;
}

export interface RulesetsDeleteInput {
  /** Id of the object. */
  readonly id: string;
}

export interface RulesetsDuplicateInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
}

export interface RulesetsReorderInput {
  /** Id of the object. */
  readonly id: string;
  /** Members that are null unless named here. */
  readonly include?: readonly 'rules'[] | undefined;
  /** Every rule once, in the new order. */
  readonly rules: readonly string[];
}

export interface RulesetsPreviewInput {
  /** Id of the object. */
  readonly id: string;
  /** The account, acct_…. */
  readonly account: string;
  /** First day; 30 days back when absent. */
  readonly from?: string | undefined;
  /** Last day, included; today when absent. */
  readonly to?: string | undefined;
  readonly include_pending?: boolean | undefined;
  /** Rows, newest first. */
  readonly limit?: number | undefined;
  /** Rules to try in place of the saved ones. */
  readonly rules?: readonly {
    readonly name?: string | null | undefined;
    readonly enabled?: boolean | undefined;
    readonly conditions: RuleCondition | null;
    readonly actions: readonly RuleAction[];
    readonly stop?: boolean | undefined;
  }[] | undefined;
}

export interface RulesetsListRulesInput {
  /** Id of the object. */
  readonly id: string;
  /** Items a page. */
  readonly limit?: number | undefined;
  /** The token of a next_page_url or previous_page_url. */
  readonly page?: string | undefined;
}

export interface RulesetsCreateRuleInput {
  /** Id of the object. */
  readonly id: string;
  /** For people. */
  readonly name?: string | null | undefined;
  /** Whether it takes part; true when absent on creation. */
  readonly enabled?: boolean | undefined;
  /** For which rows; null: every row. */
  readonly conditions: RuleCondition | null;
  /** What is done to them, in order. */
  readonly actions: readonly RuleAction[];
  readonly stop?: boolean | undefined;
  /** From 0; rules behind it move back. Default: the end. */
  readonly position?: number | undefined;
}

export interface RulesetsGetRuleInput {
  /** Id of the object. */
  readonly id: string;
  /** Id of the rule. */
  readonly rule: string;
}

export interface RulesetsUpdateRuleInput {
  /** Id of the object. */
  readonly id: string;
  /** Id of the rule. */
  readonly rule: string;
  /** For people. */
  readonly name?: string | null | undefined;
  /** Whether it takes part; true when absent on creation. */
  readonly enabled?: boolean | undefined;
  /** For which rows; null: every row. */
  readonly conditions?: RuleCondition | null | undefined;
  /** What is done to them, in order. */
  readonly actions?: readonly RuleAction[] | undefined;
  readonly stop?: boolean | undefined;
  /** From 0; rules behind it move back. Default: the end. */
  readonly position?: number | undefined;
}

export interface RulesetsDeleteRuleInput {
  /** Id of the object. */
  readonly id: string;
  /** Id of the rule. */
  readonly rule: string;
}

/** Rules that change or skip transactions on their way to a destination. */
export class Rulesets {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /**
   * List rulesets.
   *
   * Needs `rules:read`. Rate tier: `cheap`.
   */
  list(input: RulesetsListInput = {}, options?: CallOptions): List<Ruleset> {
    return this.#calls.list(
      { id: 'list_rulesets', method: 'GET', path: '/v2/rulesets', query: ['limit', 'page', 'include[]'] },
      input,
      options,
    );
  }

  /**
   * Create a ruleset without rules.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  create(input: RulesetsCreateInput, options?: CallOptions): Promise<Ruleset> {
    return this.#calls.one(
      { id: 'create_ruleset', method: 'POST', path: '/v2/rulesets', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Read a ruleset.
   *
   * Needs `rules:read`. Rate tier: `cheap`.
   */
  get(input: RulesetsGetInput, options?: CallOptions): Promise<Ruleset> {
    return this.#calls.one(
      { id: 'get_ruleset', method: 'GET', path: '/v2/rulesets/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Change a ruleset's name, description, metadata, or whether it is used.
   *
   * Omitted fields are unchanged. A metadata key set to null is removed.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  update(input: RulesetsUpdateInput, options?: CallOptions): Promise<Ruleset> {
    return this.#calls.one(
      { id: 'update_ruleset', method: 'POST', path: '/v2/rulesets/:id', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Delete a ruleset with its rules and detach it from every sync.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  delete(input: RulesetsDeleteInput, options?: CallOptions): Promise<DeletedRuleset> {
    return this.#calls.one(
      { id: 'delete_ruleset', method: 'DELETE', path: '/v2/rulesets/:id' },
      input,
      options,
    );
  }

  /**
   * Copy a ruleset and its rules; the copy is attached to nothing.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  duplicate(input: RulesetsDuplicateInput, options?: CallOptions): Promise<Ruleset> {
    return this.#calls.one(
      { id: 'duplicate_ruleset', method: 'POST', path: '/v2/rulesets/:id/duplicate', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Reorder the rules of a ruleset.
   *
   * Names every rule once.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  reorder(input: RulesetsReorderInput, options?: CallOptions): Promise<Ruleset> {
    return this.#calls.one(
      { id: 'reorder_ruleset', method: 'POST', path: '/v2/rulesets/:id/reorder', query: ['include[]'] },
      input,
      options,
    );
  }

  /**
   * Show the effect of a ruleset on the rows an account has now; nothing is written.
   *
   * With `rules`, those are tried in place of the saved ones. Reads live and writes nothing.
   *
   * Needs `rules:read` and `data:read`. Rate tier: `heavy`.
   */
  preview(input: RulesetsPreviewInput, options?: CallOptions): Promise<RulesetPreview> {
    return this.#calls.one(
      { id: 'preview_ruleset', method: 'POST', path: '/v2/rulesets/:id/preview' },
      input,
      options,
    );
  }

  /**
   * List the rules of a ruleset in their order.
   *
   * Needs `rules:read`. Rate tier: `cheap`.
   */
  listRules(input: RulesetsListRulesInput, options?: CallOptions): List<Rule> {
    return this.#calls.list(
      { id: 'list_rules', method: 'GET', path: '/v2/rulesets/:id/rules', query: ['limit', 'page'] },
      input,
      options,
    );
  }

  /**
   * Add a rule to a ruleset.
   *
   * `conditions` is required: null means every row, and an accidental omission must not mean that.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  createRule(input: RulesetsCreateRuleInput, options?: CallOptions): Promise<Rule> {
    return this.#calls.one(
      { id: 'create_rule', method: 'POST', path: '/v2/rulesets/:id/rules' },
      input,
      options,
    );
  }

  /**
   * Read a rule.
   *
   * Needs `rules:read`. Rate tier: `cheap`.
   */
  getRule(input: RulesetsGetRuleInput, options?: CallOptions): Promise<Rule> {
    return this.#calls.one(
      { id: 'get_rule', method: 'GET', path: '/v2/rulesets/:id/rules/:rule' },
      input,
      options,
    );
  }

  /**
   * Update a rule or its position.
   *
   * Omitted fields are unchanged.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  updateRule(input: RulesetsUpdateRuleInput, options?: CallOptions): Promise<Rule> {
    return this.#calls.one(
      { id: 'update_rule', method: 'POST', path: '/v2/rulesets/:id/rules/:rule' },
      input,
      options,
    );
  }

  /**
   * Delete a rule; those after it move up.
   *
   * Needs `rules:write`. Rate tier: `mutating`.
   */
  deleteRule(input: RulesetsDeleteRuleInput, options?: CallOptions): Promise<DeletedRule> {
    return this.#calls.one(
      { id: 'delete_rule', method: 'DELETE', path: '/v2/rulesets/:id/rules/:rule' },
      input,
      options,
    );
  }
}
