import { counted, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

const transactions = (count: number) => counted(count, 'transaction', 'transactions');

const SHOWN = 3;

/** The first few, and how many more there are. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${numberText(more)} more`;
}

export const CATEGORY_CHANGE = translated('CATEGORY_CHANGE', {
  title: 'Change category',
  titleOf: (count: number) => `Change the category of ${transactions(count)}`,
  category: 'New category',
  choose: 'Choose a category',
  loading: 'Loading your categories…',
  noCategories: 'You have no categories yet. Create some under Categories first.',
  how: 'How should this apply?',
  these: (count: number) => (count === 1 ? 'Only this transaction' : `Only these ${transactions(count)}`),
  theseHint: 'Others keep their category. Syncs that use your categories write it from their next run on.',
  pendingLeft: (count: number) =>
    `${count === 1 ? '1 of them is' : `${numberText(count)} of them are`} still pending and can be changed once posted.`,
  byBank: 'As the bank’s category says',
  theseDoneText: (count: number, name: string) => `${transactions(count)}: ${name}.`,
  claim: 'Change what the bank’s category means',
  claims: 'Change what the bank’s categories mean',
  claimHint: (names: readonly string[]) =>
    `Everything the bank calls ${quoted(names)} goes into the new category, also past transactions: here, and in syncs that use your categories.`,
  codes: 'What the bank calls',
  codeCount: (chosen: number) => `${numberText(chosen)} of those you selected`,
  uncoded: (count: number) =>
    `The bank gives ${count === 1 ? '1 of them' : `${numberText(count)} of them`} no category, so ${count === 1 ? 'it stays' : 'they stay'} as ${count === 1 ? 'it is' : 'they are'}.`,
  example: 'Transactions like',
  claimless: 'The bank gives this transaction no category, so there is nothing to assign.',
  claimed: 'It is in this category already.',
  rule: 'Always do this for transactions like this one',
  ruleOfSome: 'Always do this for transactions like one of these',
  ruleHint:
    'A rule changes transactions on their way to your destinations, from the next run on. This page keeps showing the category that the bank’s own category leads to.',
  claimEffect: (moved: number, read: number) =>
    `${numberText(moved)} of the ${transactions(read)} read so far will move.`,
  claimOthers: (count: number) =>
    `${transactions(count)} among them ${count === 1 ? 'is' : 'are'} not selected.`,
  claimTakes: (name: string, count: number) =>
    `${name} loses ${count === 1 ? 'this bank category' : `${numberText(count)} bank categories`}.`,
  like: 'Transactions like this one are those where',
  likeness: 'Compare',
  likenesses: {
    merchant: 'The merchant is',
    contains: 'The description contains',
    equals: 'The description is exactly',
  },
  text: 'Text',
  onlyAccount: (name: string) => `Only in ${name}`,
  onlyDirection: { credit: 'Only money in', debit: 'Only money out' },
  emptyText: 'Enter a text to compare with.',
  matches: (matched: number, read: number) =>
    `${numberText(matched)} of the ${transactions(read)} read so far match`,
  andMore: (count: number) => `and ${numberText(count)} more`,
  ruleset: 'Add the rule to',
  newRuleset: 'A new ruleset',
  rulesetName: 'Name of the ruleset',
  defaultRuleset: 'Categories',
  rulesetLabel: (name: string, syncs: number) =>
    `${name} (${syncs === 0 ? 'no sync uses it' : counted(syncs, 'sync uses it', 'syncs use it')})`,
  rulesetOff: 'This ruleset is turned off. Turn it on under Categories for the rule to take effect.',
  ruleName: (name: string, text: string) => `${name}: ${text}`,
  orderHint:
    'Rules run in order. Earlier rules in the ruleset may change a transaction before this one sees it.',
  save: { these: 'Change category', claim: 'Change category', rule: 'Create rule' },
  failed: {
    these: 'The category was not changed',
    claim: 'The category was not changed',
    rule: 'The rule was not created',
    undo: 'The change was not taken back',
  },
  claimDone: 'Category changed',
  claimDoneText: (codes: readonly string[], name: string) =>
    `What the bank calls ${quoted(codes)} is now ${name}.`,
  always: (name: string) => `Always do this for ${name}`,
  ruleDone: (ruleset: string) => `Rule created in ${ruleset}`,
  ruleDoneText: 'It takes effect with the next run of the syncs that use this ruleset.',
  ruleUnused: 'No sync uses this ruleset yet, so the rule does nothing until you attach it to one.',
  syncs: 'Syncs of transactions',
  noSyncs: 'You have no sync of transactions yet. Attach the ruleset when you create one.',
  uses: 'Uses this ruleset',
  usesNot: 'Does not use it',
  replaces: (name: string) => `Uses ${name} instead, which attaching replaces`,
  another: 'another ruleset',
  sendsNone: 'Does not send your categories. Turn them on in the sync to see this at the destination.',
  attach: 'Attach',
  attachTo: (name: string) => `Attach to ${name}`,
  attachFailed: 'The ruleset was not attached',
  readOnly: 'You may look at this account, not change it. Ask an owner to do this.',
});
