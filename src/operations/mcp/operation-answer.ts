import type { JsonOperation } from '../operation.ts';
import { OperationRequest } from '../operation-request.ts';
import type { OperationCall } from './operation-arguments.ts';
import { writePageToken } from './page-token.ts';
import { answerOf, isStructured, type ToolAnswer, type ToolContext } from './tool.ts';

/** Members whose text is a secret that an answer shows once. */
const SECRETS: ReadonlySet<string> = new Set(['signing_secret', 'secret', 'setup_token']);
export const WITHHELD = '[not shown to agents: rotate the secret over the API to see one]';

/** The answer without its secrets: a conversation is kept by others than its person. */
function withoutSecrets(answer: ToolAnswer['structured']): ToolAnswer['structured'] {
  const members = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (SECRETS.has(name) && typeof value === 'string') return [name, WITHHELD];
    return [name, isStructured(value) ? withoutSecrets(value) : value];
  });
  return Object.fromEntries(members);
}

type Structured = ToolAnswer['structured'];

/** What the operation answers, as an agent reads it: a list is cut to what fits, and goes on with a bare token. */
export async function answerOperation(
  operation: JsonOperation,
  call: OperationCall,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { body, truncated } = await ask(operation, call, context);
  if (!isList(body)) return answerOf(operation.answersSecret ? withoutSecrets(body) : body);
  const most = context.services.limits.mcp_answer_characters;
  const fitting = countFitting(body.data, most);
  if (fitting === body.data.length) return listed(body, call, truncated);
  if (Object.hasOwn(operation.query.properties, 'page')) {
    const fewer = { ...call, query: { ...call.query, limit: fitting } };
    const again = await ask(operation, fewer, context);
    if (isList(again.body)) return listed(again.body, fewer, again.truncated);
  }
  return listed({ ...body, data: body.data.slice(0, fitting) }, call, true);
}

/** `truncated`: whether the row ceiling of the service cut off the oldest rows. */
async function ask(
  operation: JsonOperation,
  { params, query, body, include, idempotencyKey }: OperationCall,
  { caller, services, from, signal }: ToolContext,
): Promise<{ readonly body: Structured; readonly truncated: boolean }> {
  let truncated = false;
  const asked = new OperationRequest<unknown, unknown, unknown>(
    { params, query, body, include },
    {
      caller,
      services,
      from,
      idempotencyKey,
      signal,
      header: (name, value) => {
        truncated ||= name.toLowerCase() === 'x-service-truncated' && value === 'true';
      },
    },
  );
  const { text, headers } = await operation.answer(asked);
  for (const [name, value] of headers) truncated ||= name === 'x-service-truncated' && value === 'true';
  const answered: unknown = JSON.parse(text);
  if (!isStructured(answered)) throw new TypeError(`${operation.id} answered something that is no object`);
  return { body: answered, truncated };
}

interface List extends Structured {
  readonly data: readonly unknown[];
}

function isList(body: Structured): body is List {
  return body.object === 'list' && Array.isArray(body.data);
}

function listed(
  { next_page_url: next, previous_page_url: _previous, ...list }: Structured,
  { params }: OperationCall,
  truncated: boolean,
): ToolAnswer {
  const texts = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
  const page = typeof next === 'string' ? writePageToken(next, Object.fromEntries(texts)) : null;
  return answerOf({ ...list, next_page: page, truncated });
}

/** How many of the items fit; at least one, or nobody could ever go on. */
function countFitting(items: readonly unknown[], most: number): number {
  let characters = 0;
  for (const [at, item] of items.entries()) {
    characters += JSON.stringify(item).length + 1;
    if (characters > most) return Math.max(at, 1);
  }
  return items.length;
}
