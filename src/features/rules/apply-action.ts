import type { ReplaceableField } from '../../vocabulary/rule-actions.ts';
import type { RuleAction } from '../../vocabulary/rules.ts';
import { composed } from '../../vocabulary/text-folding.ts';
import { directionOf, type Transaction } from '../../vocabulary/transactions.ts';
import type { RuleCategories, WorkingRow } from './working-row.ts';

export type RowChange = (row: WorkingRow) => WorkingRow;

export interface ActionContext {
  readonly limits: { readonly row_text_characters: number };
  readonly categories: RuleCategories;
}

/** An action as a function from row to row; null for `skip`, after which there is no row. */
export function compileAction(action: RuleAction, { limits, categories }: ActionContext): RowChange | null {
  switch (action.type) {
    case 'skip':
      return null;
    case 'flip_sign':
      return (row) => withTransaction(row, flipped(row.transaction));
    case 'set_description':
      return (row) => withTransaction(row, { ...row.transaction, description: action.value });
    case 'set_merchant':
      return (row) => withTransaction(row, { ...row.transaction, merchant_name: action.value });
    case 'set_memo':
      return (row) => ({ ...row, memo: action.value });
    case 'add_tag':
      return (row) => (row.tags.includes(action.value) ? row : { ...row, tags: [...row.tags, action.value] });
    case 'set_category': {
      // One that has been deleted since counts as none.
      const category = action.value !== null && categories.has(action.value) ? action.value : null;
      return (row) => ({ ...row, category });
    }
    case 'replace_text': {
      const replaced = replacement(action, limits.row_text_characters);
      return (row) => withTransaction(row, withText(row.transaction, action.field, replaced));
    }
  }
}

function withTransaction(row: WorkingRow, transaction: Transaction): WorkingRow {
  return { ...row, transaction };
}

/** The same amount with the opposite sign, exactly, so that flipping twice changes nothing. */
function flipped(transaction: Transaction): Transaction {
  const { amount, amount_decimal: text } = transaction;
  if (amount.amount === 0) return transaction;
  const turned = -amount.amount;
  return {
    ...transaction,
    amount: { ...amount, amount: turned },
    amount_decimal: text.startsWith('-') ? text.slice(1) : `-${text.replace('+', '')}`,
    direction: directionOf(turned),
  };
}

/** An empty text becomes absent, except a description, which every row has. */
function withText(
  transaction: Transaction,
  field: ReplaceableField,
  replaced: (text: string) => string,
): Transaction {
  const text = transaction[field];
  if (text === null) return transaction;
  const changed = replaced(text);
  if (changed === text) return transaction;
  return { ...transaction, [field]: changed === '' && field !== 'description' ? null : changed };
}

/**
 * Replaces every occurrence of a literal text, however its accents are composed. The result is truncated at the limit
 * of a row's texts, because successive replacements could grow a text without end; what would be cut is not built.
 */
function replacement(
  { find, value, case_sensitive }: Extract<RuleAction, { type: 'replace_text' }>,
  most: number,
): (text: string) => string {
  const literal = composed(find).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(literal, case_sensitive ? 'gu' : 'giu');
  return (text) => {
    const read = composed(text);
    const length = Math.max(most, text.length);
    let changed = '';
    let from = 0;
    for (const { 0: found, index } of read.matchAll(pattern)) {
      changed += read.slice(from, index) + value;
      from = index + found.length;
      if (changed.length > length) break;
    }
    if (from === 0) return text;
    changed += read.slice(from);
    return changed.length <= length ? changed : cut(changed, length);
  };
}

/** The beginning of a text, without splitting a character at the end. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
