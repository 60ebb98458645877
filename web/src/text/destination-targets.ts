import type { TargetKind } from '../../../src/vocabulary/destination-kinds/kind.ts';
import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

interface KindWords {
  readonly one: string;
  readonly many: string;
  readonly none: string;
  readonly noneText: string;
}

/** Kinds of things at vendors, as people call them there. */
const KINDS: Readonly<Record<TargetKind, KindWords>> = {
  spreadsheet: {
    one: 'spreadsheet',
    many: 'Spreadsheets',
    none: 'No spreadsheet to choose from',
    noneText:
      'Google shows Tributary only spreadsheets that Tributary made, or that you opened with it. Make a new one instead.',
  },
  sheet: {
    one: 'tab',
    many: 'Tabs',
    none: 'No tab in this spreadsheet',
    noneText: 'Add a tab to the spreadsheet, then look again.',
  },
  database: {
    one: 'database',
    many: 'Databases',
    none: 'No database to choose from',
    noneText:
      'Notion shows Tributary only pages that you shared with it. Share the page that the database is on, then look again.',
  },
  base: {
    one: 'base',
    many: 'Bases',
    none: 'No base to choose from',
    noneText: 'Make a base at Airtable, or sign in again and tick it on Airtable’s page.',
  },
  table: {
    one: 'table',
    many: 'Tables',
    none: 'No table in here',
    noneText: 'Make a new one instead.',
  },
  budget: {
    one: 'budget',
    many: 'Budgets',
    none: 'No budget to choose from',
    noneText: 'Make a budget there first, then look again.',
  },
  folder: {
    one: 'folder',
    many: 'Folders',
    none: 'No folder to choose from',
    noneText: 'Make a new one instead.',
  },
  schema: {
    one: 'schema',
    many: 'Schemas',
    none: 'No schema to choose from',
    noneText: 'Give the database user the right to use a schema, then look again.',
  },
};

const HOLDS = { transactions: 'Transactions', holdings: 'Holdings', trades: 'Trades' } as const;

/** Choosing where in a destination rows go. */
export const TARGETS = translated('TARGETS', {
  kinds: KINDS,
  how: 'Where should the rows go?',
  makeNew: (kind: string) => `A new ${kind}`,
  existing: (kind: string) => `A ${kind} that is there already`,
  existingHint: 'Columns that are missing are added. What you keep there stays.',
  name: 'Name',
  defaultName: 'Tributary',
  nameMissing: 'Give it a name.',
  holds: 'It will hold',
  holdsChoices: HOLDS,
  holdsHint: 'This decides which columns it gets.',
  make: (kind: string) => `Make the ${kind}`,
  making: 'This can take a few seconds.',
  makeFailed: (kind: string) => `The ${kind} was not made`,
  makeFailedText: 'Try again: if it was made after all, it is found and not made twice.',
  inside: (kind: string) => `Which ${kind} should it be in?`,
  choose: (kind: string) => `Choose a ${kind}`,
  chooseIn: (kind: string, name: string) => `Choose a ${kind} in ${name}`,
  chosen: (kind: string) => `Chosen ${kind}`,
  other: (kind: string) => `Choose another ${kind}`,
  aim: (kind: string) => `Use this ${kind}`,
  aimFailed: 'The target was not set',
  search: (many: string) => `Search ${many.toLowerCase()}`,
  count: (shown: number, all: number) =>
    shown === all ? `${all} to choose from` : `${counted(shown, 'match', 'matches')} of ${all}`,
  unmatched: 'Nothing of this name. Change the search.',
  truncated: (count: number) =>
    `Only ${count} are listed here. If yours is missing, delete or archive some there.`,
  again: 'Look again',
  listFailed: (many: string) => `${many} could not be listed`,
  current: 'In use now',
});
