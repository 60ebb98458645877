import { counted } from './frame.ts';

/** Around the pages of `/docs`. */
export const DOCUMENTATION = {
  navigation: 'Documentation',
  reference: 'API reference',
  guides: 'Guides',
  errors: 'Errors',
  description: 'OpenAPI description',
  signIn: 'Sign in',
  pageTitle: (title: string) => `${title} - Tributary`,
  untitled: 'Documentation',
  missing: {
    title: 'Page not found',
    text: 'The documentation has no page at this address. It may have been renamed; the guides can be searched by title.',
    home: 'Home',
  },
} as const;

/** The list of the pages of `docs/`, and its groups. */
export const GUIDES = {
  title: 'Guides',
  search: 'Search guides by title',
  find: 'Search',
  found: (count: number, text: string) => `${counted(count, 'guide')} with “${text}” in the title.`,
  none: (text: string) => `No guide has “${text}” in its title. Try one word, such as “webhooks”.`,
  all: 'Show all guides',
  start: 'Getting started',
  banks: 'Banks and transactions',
  syncs: 'Destinations and syncs',
  developers: 'For developers',
  operate: 'Operating an installation',
  extend: 'Extending it',
  consoles: 'What to click at each vendor',
  decisions: 'Decisions',
} as const;

/** The reference of v2; a test compares it with `web/src/text/reference.ts`. */
export const REFERENCE = {
  title: 'API reference',
  intro: (base: string) =>
    `Every operation of v2 at ${base}, written from the description that the service itself answers by.`,
  search: 'Search operations',
  searchHint: 'A path, a name, a scope: “transactions”, “POST rulesets”, “syncs:write”.',
  find: 'Search',
  found: (count: number) => counted(count, 'operation'),
  noneText: (text: string) => `Nothing matches “${text}”. Try one word, such as “balance”.`,
  all: 'Show all operations',
  anyKey: 'Any key',
  and: ' and ',
  group: (tag: string) =>
    tag
      .replaceAll('_', ' ')
      .replace(/^api\b/, 'API')
      .replace(/^simplefin\b/, 'SimpleFIN')
      .replace(/^./, (first) => first.toUpperCase()),
  facts: {
    scope: 'Scope',
    tier: 'Rate tier',
    also: 'Also',
    byPatch: 'PATCH at the same path',
    name: 'Operation',
  },
  tiers: {
    cheap: 'cheap: reads what the service itself knows',
    mid: 'mid: asks a bank or destination for one thing',
    heavy: 'heavy: reads rows live, a few at a time',
    mutating: 'mutating: changes something',
  },
  parameters: 'Parameters',
  noParameters: 'Takes no parameters.',
  header: 'header',
  placed: (type: string, place: string) => `${type}, in the ${place}`,
  body: 'Body',
  optional: 'Every member is optional',
  required: 'Required',
  members: (name: string) => `Members of ${name}`,
  oneOf: 'One of',
  moreValues: (count: number) => `and ${count} more`,
  example: 'Example',
  exampleAside: 'Reads your key from TRIBUTARY_API_KEY',
  tryIt: 'Try it in the application',
  fillIn: 'Fill in the example in the application',
  answer: 'Answer',
  answerOf: (status: string, name: string) => `${status}, ${name}`,
  listOf: (name: string) => `a list of ${name}`,
  file: (types: readonly string[]) => `A file: ${types.join(', ')}`,
  exampleAnswer: 'Example of an answer',
  errors: 'Errors',
  errorsAside: 'Branch on the code; it never changes',
} as const;
