import { counted, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const REFERENCE = translated('REFERENCE', {
  title: 'API reference',
  intro: (base: string) =>
    `Every operation of v2 at ${base}, written from the description that the service itself answers by.`,
  description: 'OpenAPI description',
  guides: 'Guides',
  search: 'Search operations',
  searchHint: 'A path, a name, a scope: “transactions”, “POST rulesets”, “syncs:write”.',
  found: (count: number) => counted(count, 'operation', 'operations'),
  none: 'No operation found',
  noneText: (text: string) => `Nothing matches “${text}”. Try one word, such as “balance”.`,
  anyKey: 'Any key',
  /** The name of a group of operations, from its tag: `api_keys`. */
  group: (tag: string) =>
    tag
      .replaceAll('_', ' ')
      .replace(/^api\b/, 'API')
      .replace(/^simplefin\b/, 'SimpleFIN')
      .replace(/^./, (first) => first.toUpperCase()),
  missing: 'No operation of this name',
  missingText: 'The API reference lists every operation there is.',
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
  parametersAside: 'What you enter is in the examples below',
  noParameters: 'Takes no parameters.',
  header: 'header',
  commas: 'Several are divided by commas.',
  notSent: 'Not sent',
  body: 'Body',
  optional: 'Every member is optional',
  required: 'Required',
  members: (name: string) => `Members of ${name}`,
  oneOf: 'One of',
  moreValues: (count: number) => `and ${numberText(count)} more`,
  example: 'Example',
  exampleAside: 'Reads your key from TRIBUTARY_API_KEY',
  language: 'Language of the example',
  exampleOf: (language: string) => `Example in ${language}`,
  try: 'Try it',
  tryAside: 'As yourself, with what you are allowed to see',
  tryText: 'Sends this request from your browser. It reads only; nothing is changed.',
  send: 'Send request',
  sendFailed: 'The request was not sent',
  incomplete: (names: readonly string[]) => `Enter ${names.join(' and ')} first.`,
  took: (ms: number) => `${numberText(Math.round(ms))} ms`,
  status: 'Status',
  answerHeaders: 'Headers of the answer',
  answerBody: 'Body of the answer',
  cut: 'The answer is longer; this is how it begins.',
  answer: 'Answer',
  answerOf: (status: string, name: string) => `${status}, ${name}`,
  listOf: (name: string) => `a list of ${name}`,
  file: 'A file: ',
  exampleAnswer: 'Example of an answer',
  errors: 'Errors',
  errorsAside: 'Branch on the code; it never changes',
});
