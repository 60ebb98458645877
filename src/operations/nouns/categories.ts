import type { Static } from 'typebox';
import type { categorySchema } from '../schemas/categories.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';

const group: Static<typeof categorySchema> = {
  id: exampleId('category'),
  object: 'category',
  name: 'Food & Drink',
  parent: null,
  icon: '🍽',
  color: '#2f855a',
  position: 0,
  archived: false,
  sources: [],
  category_count: 1,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

const category: Static<typeof categorySchema> = {
  ...group,
  id: exampleId('category', 2),
  name: 'Coffee',
  parent: group.id,
  icon: '☕',
  sources: ['FOOD_AND_DRINK_COFFEE'],
  category_count: 0,
  updated: EXAMPLE_UPDATED,
};

const tree = { object: 'list', data: [group, category], next_page_url: null, previous_page_url: null };

export const categoriesNoun: Noun = {
  tag: 'categories',
  description: 'Your own categories: groups, and categories in them that claim the codes of providers.',
  resources: {
    category: {
      description:
        'A category or a group. A transaction resolves to the category that claims its subcategory code, else to the one that claims its primary code.',
      fields: {
        icon: 'An emoji, or any short text.',
        color: '#rrggbb',
        position: 'Position among its siblings, from 0 without gaps.',
        archived: 'Hidden from view, or in a group that is; rows still resolve to it.',
        sources: 'Provider category codes it claims; each code is claimed once.',
        category_count: 'Categories in a group.',
      },
      example: category,
    },
  },
  operations: {
    list_categories: {
      description:
        'The whole tree in one answer, each group followed by what is in it, archived ones too; `limit` is ignored.',
      answer: tree,
    },
    create_category: {
      body: { name: 'Coffee', parent: group.id, icon: '☕', color: '#2f855a' },
      answer: { ...category, sources: [], updated: EXAMPLE_CREATED },
    },
    reset_categories: {
      description: 'Your own categories are deleted; the default ones get new ids.',
      sent: { confirm: 'Must be true.' },
      body: { confirm: true },
      answer: tree,
    },
    update_category: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      body: { name: 'Coffee and tea', position: 0 },
    },
    delete_category: {
      description:
        '`cascade=true` for a group that is not empty; `reassign_to` names the category that takes over its sources.',
    },
    claim_category_sources: {
      description: 'A code claimed by another category moves here; `released_from` says from where.',
      body: { sources: ['FOOD_AND_DRINK_COFFEE'] },
      answer: {
        ...category,
        released_from: [{ category: exampleId('category', 3), sources: ['FOOD_AND_DRINK_COFFEE'] }],
      },
    },
  },
};
