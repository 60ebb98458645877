import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

const codes = (count: number) => counted(count, 'code', 'codes');
const categories = (count: number) => counted(count, 'category', 'categories');

export const CATEGORIES = translated('CATEGORIES', {
  title: 'Categories',
  tabs: 'Categories and rules',
  rules: 'Rules',
  intro:
    'Your bank gives each transaction a code, and your category that claims the code is shown. Transactions are not changed: a new claim shows at once, even for last year.',
  newGroup: 'New group',
  addTo: (group: string) => `New category in ${group}`,
  more: 'More actions',
  reset: 'Reset to the default categories',
  showArchived: (count: number) => `Show archived (${count})`,
  archived: 'Archived',
  count: categories,
  noSources: 'Claims no code',
  sources: (names: readonly string[]) => names.join(', '),
  emptyGroup: 'Nothing in this group yet. Add a category, or drag one here.',
  onlyArchived: 'Everything in this group is archived.',
  none: 'You have no categories',
  noneText: 'Create the default categories and change what you like, or start with a group of your own.',
  createDefaults: 'Create the default categories',
  wholeGroup: (name: string) => `All of ${name}`,
  gone: 'A deleted category',
  actionsOf: (name: string) => `Actions for ${name}`,
  actions: {
    edit: 'Edit',
    claims: 'Choose codes',
    up: 'Move up',
    down: 'Move down',
    move: 'Move to a group',
    archive: 'Archive',
    restore: 'Restore',
    delete: 'Delete',
  },
  done: {
    archived: (name: string) => `${name} is archived`,
    archivedText: 'It is hidden here. It still claims its codes, and its transactions stay in it.',
    restored: (name: string) => `${name} is restored`,
    restoredText: 'It is shown again.',
    deleted: (name: string) => `${name} is deleted`,
    released: 'Its codes are free again.',
    reassigned: (name: string) => `${name} has taken over its codes.`,
    claimed: (name: string, count: number) => `${name} claims ${codes(count)} now`,
    claimedText: 'Transactions with these codes show this category from now on.',
    taken: (names: readonly string[]) => `Released from ${names.join(', ')}.`,
    reset: 'The default categories are back',
    resetText: 'Every category is new. Check the rules that set or look for a category.',
  },
  failed: {
    move: (name: string) => `${name} was not moved`,
    change: (name: string) => `${name} was not changed`,
    archive: (name: string) => `${name} was not archived`,
    restore: (name: string) => `${name} was not restored`,
    create: (name: string) => `${name} was not created`,
    delete: (name: string) => `${name} was not deleted`,
    claim: (name: string) => `The codes of ${name} were not changed`,
    reset: 'Nothing was reset',
    codes: 'The codes could not be loaded',
  },
  resetting: {
    title: 'Reset to the default categories?',
    text: (count: number) =>
      count === 0
        ? 'The default categories are created, with the codes they claim.'
        : `Your ${categories(count)} and their claims are deleted, and the default ones are created in their place. This cannot be undone.`,
    rules: 'Rules that name one of your categories stop matching, because the new ones have other ids.',
    action: 'Reset',
  },
});

/** What dragging says to those who hear the page. */
export const DRAGGING = translated('DRAGGING', {
  grip: (name: string) => `Move ${name}`,
  hint: 'Press Space to lift, the arrow keys to move, Space to drop, Escape to cancel.',
  lifted: (name: string, place: string) => `${name} is lifted. ${place} Move it with the arrow keys.`,
  dropped: (name: string, place: string) => `${name} is dropped. ${place}`,
  cancelled: (name: string, place: string) => `${name} is back. ${place}`,
  place: (at: number, of: number, group: string) => `Place ${at} of ${of} in ${group}.`,
  groupPlace: (at: number, of: number) => `Group ${at} of ${of}.`,
});

export const CATEGORY_FORM = translated('CATEGORY_FORM', {
  editCategory: (name: string) => `Edit ${name}`,
  newGroup: 'New group',
  newCategory: (group: string) => `New category in ${group}`,
  name: 'Name',
  icon: 'Icon',
  iconHint: 'An emoji, or a few letters.',
  icons: 'Suggested icons',
  color: 'Colour',
  otherColor: 'Another colour',
  colors: {
    '#2f9e44': 'Green',
    '#1971c2': 'Blue',
    '#0c8599': 'Teal',
    '#e8590c': 'Orange',
    '#c2255c': 'Pink',
    '#9c36b5': 'Purple',
    '#495057': 'Slate',
    '#868e96': 'Grey',
  },
  create: 'Create',
});

export const MOVING = translated('MOVING', {
  title: (name: string) => `Move ${name} to a group`,
  group: 'Group',
  action: 'Move',
  hint: 'It goes to the end of the group.',
});

export const DELETING = translated('DELETING', {
  title: (name: string) => `Delete ${name}?`,
  cannot: 'This cannot be undone. To hide it and keep its claims, archive it instead.',
  holds: (count: number) => `This group contains ${categories(count)}.`,
  cascade: (count: number) => `Delete the ${categories(count)} in it as well`,
  claims: (count: number) => `${codes(count)} ${count === 1 ? 'is' : 'are'} claimed here.`,
  after: 'What happens to the codes',
  release: 'Release them',
  releaseHint: 'Their transactions fall back to the category of the main code, or to none.',
  reassign: 'Give them to another category',
  target: 'Category that takes them over',
  rules: 'Rules that name it stop matching.',
  action: 'Delete',
});

export const CLAIMS = translated('CLAIMS', {
  title: (name: string) => `Codes of ${name}`,
  intro: 'Transactions with these codes go into this category. Each code belongs to at most one category.',
  search: 'Search codes',
  codes: 'Provider codes',
  none: 'No code matches.',
  /** Null if everything was taken back. */
  left: (count: number) =>
    count === 0
      ? null
      : count === 1
        ? 'One code was changed elsewhere since, and stays as it is.'
        : `${codes(count)} were changed elsewhere since, and stay as they are.`,
  heldBy: (name: string) => `Now in ${name}`,
  here: 'In this category',
  follows: (name: string) => `Falls back to ${name}`,
  free: 'In no category',
  chosen: (count: number) => `${codes(count)} chosen`,
  takes: (list: readonly string[]) => `Saving releases ${list.join(', ')}.`,
  takesFrom: (count: number, name: string) => `${codes(count)} from ${name}`,
  save: 'Save codes',
});

export const UNCLAIMED = translated('UNCLAIMED', {
  title: 'Codes in no category',
  every: 'Every code leads to one of your categories.',
  text: 'Transactions with these codes show no category. Choose a category that claims them.',
  count: codes,
  claimFor: (label: string) => `Category for ${label}`,
  choose: 'Choose a category',
  action: 'Claim',
  claim: (label: string) => `Claim ${label}`,
});
