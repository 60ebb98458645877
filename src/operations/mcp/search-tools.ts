import { Type } from 'typebox';
import { closed, parameterParser } from '../parameters.ts';
import { mayUse } from './admit-agent.ts';
import { plainObjectSchema } from './json-schema.ts';
import { answerOf, orInvalidArguments, type Tool, withoutContext } from './tool.ts';
import { fullListing } from './tool-pages.ts';

const USUAL = 5;
const MOST = 20;
const input = closed(
  Type.Object({
    query: Type.String({ minLength: 1, maxLength: 200, description: 'Words of what you want to do.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: USUAL })),
  }),
);
const output = Type.Object(
  { tools: Type.Array(Type.Object({ name: Type.String() })) },
  { additionalProperties: false },
);

/** Finds tools by words, with their whole schemas; those that `tools/list` has not shown yet can be called anyway. */
export function searchTools(others: readonly Tool[]): Tool {
  const parse = parameterParser(input);
  return {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Finds tools of this server by words, with their input and output schemas. Use it when no tool you know does what is wanted: tools for connections, syncs, destinations, categories, rules and events can be called by name although they may not be listed yet.',
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: plainObjectSchema(input),
    output: plainObjectSchema(output),
    ofV1: false,
    tier: 'cheap',
    scope: null,
    alsoScopes: [],
    planGate: null,
    agentScopes: [],
    longest: null,
    call: async (args, { caller, services }) => {
      try {
        const { query, limit = USUAL } = parse(withoutContext(args), services.limits);
        const offered = others.filter((tool) => mayUse(tool, caller, services.clock));
        return answerOf({
          tools: bestOf(offered, query)
            .slice(0, limit)
            .map((tool) => fullListing(tool, services.limits)),
        });
      } catch (error) {
        throw orInvalidArguments(error);
      }
    },
  };
}

const NAME_WEIGHT = 4;

/** Those that contain a word of the query, best first; ties keep their order. */
function bestOf(tools: readonly Tool[], query: string): readonly Tool[] {
  const wanted = [...new Set(wordsOf(query))];
  const scored = tools.map((tool) => {
    const name = new Set(wordsOf(tool.name));
    const description = new Set(wordsOf(tool.description));
    const score = wanted.reduce(
      (sum, word) => sum + (name.has(word) ? NAME_WEIGHT : 0) + (description.has(word) ? 1 : 0),
      0,
    );
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** In lower case, and in the singular. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{2,}/g) ?? []).map((word) =>
    word.replace(/ies$/, 'y').replace(/(?<=[a-z]{2})s$/, ''),
  );
}

/** Operations that no tool offers, and why. A test holds the table against the operations. docs/mcp.md shows it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  export_sync: 'A file of any length does not fit into a conversation; list_transactions_v2 pages the rows.',
  export_transactions:
    'A file of any length does not fit into a conversation; list_transactions_v2 pages the rows.',
  stream_events: 'A call ends with its answer; list_events shows what has happened since.',
  create_document:
    'A file does not fit into a conversation; take_document and the others work with one that was uploaded.',
  get_document_file: 'A file does not fit into a conversation.',
  create_api_key: 'Its answer is a secret, which must not be in a conversation.',
  rotate_api_key: 'Its answer is a secret, which must not be in a conversation.',
  create_simplefin_setup_token: 'Its answer is a secret, which must not be in a conversation.',
  rotate_destination_secret: 'Its answer is a secret, which must not be in a conversation.',
  rotate_event_destination_secret: 'Its answer is a secret, which must not be in a conversation.',
};
