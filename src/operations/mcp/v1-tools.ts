import { type Static, type TObject, Type } from 'typebox';
import { LIMITS } from '../../vocabulary/limits.ts';
import { JsonText } from '../operation-request.ts';
import { closed, NOTHING, parameterParser } from '../parameters.ts';
import { accountsEndpoint } from '../v1/accounts.ts';
import { balancesEndpoint } from '../v1/balances.ts';
import { connectionsEndpoint } from '../v1/connections.ts';
import type { V1Answer, V1Endpoint } from '../v1/endpoint.ts';
import { holdingsEndpoint } from '../v1/holdings.ts';
import { tradesEndpoint } from '../v1/trades.ts';
import { transactionsEndpoint } from '../v1/transactions.ts';
import { limited } from '../v2/schema/bounds.ts';
import { connectionTransactions } from './connection-transactions.ts';
import { plainObjectSchema } from './json-schema.ts';
import {
  type Arguments,
  answerOf,
  isStructured,
  orInvalidArguments,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  withoutContext,
} from './tool.ts';

const uuid = (description: string) =>
  Type.String({
    pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
    description,
  });
const moment = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));
const paging = (most: number, usual: number) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: usual })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 })),
});
const connectionId = uuid('UUID of the connection, from list_connections.');
const accountId = Type.Optional(uuid('UUID of an account of the connection; without it, all of them.'));

/** The six tools of the published interface, with v1's shapes (docs/mcp.md#the-six-tools). */
export const V1_TOOLS: readonly Tool[] = [
  v1Tool({
    name: 'list_connections',
    title: 'List connections',
    description:
      'Lists the linked banks and brokers with their status and UUIDs. Start here for a connectionId; status invalidated means that its person must renew the consent.',
    endpoint: connectionsEndpoint,
    agentScopes: [],
    input: NOTHING,
    query: () => ({}),
  }),
  v1Tool({
    name: 'list_accounts',
    title: 'List accounts',
    description:
      'Lists the linked accounts by name, with UUIDs, type, currency and masked number. Start here for an accountId. It shows no balances: use list_balances.',
    endpoint: accountsEndpoint,
    agentScopes: [],
    input: Type.Object(paging(200, 50)),
    query: (args) => args,
  }),
  v1Tool({
    name: 'list_balances',
    title: 'List balances',
    description:
      'Reads the current and available balances of bank accounts, as decimal text in the currency of each; negative means in debit. null: the bank did not answer.',
    endpoint: balancesEndpoint,
    agentScopes: [],
    input: Type.Object({
      accountIds: Type.Array(uuid('UUID of an account.'), {
        minItems: 1,
        ...limited({ maxItems: 'mcp_balance_accounts' }),
      }),
    }),
    query: ({ accountIds }) => ({ accountIds: accountIds.join() }),
  }),
  v1Tool({
    name: 'list_transactions',
    title: 'List transactions',
    description:
      'Lists posted transactions of a bank account, newest first: decimal amounts, negative for debits. Name the account: without accountId, which is deprecated, those of all accounts of the connection are merged.',
    endpoint: transactionsEndpoint,
    agentScopes: [],
    input: Type.Object({
      connectionId,
      accountId: Type.Optional(uuid('UUID of an account of the connection; recommended.')),
      from: moment('First day, YYYY-MM-DD or ISO 8601; 30 days ago when absent.'),
      to: moment('Last day, included; today when absent.'),
      ...paging(500, 200),
    }),
    query: (args) => args,
    instead: (args, context) => (args.accountId === undefined ? connectionTransactions(args, context) : null),
  }),
  v1Tool({
    name: 'list_holdings',
    title: 'List holdings',
    description:
      'Lists what the accounts of a brokerage connection hold now: quantity, prices and market value as decimal text in the currency of each. Professional plan.',
    endpoint: holdingsEndpoint,
    agentScopes: ['brokerage:read'],
    input: Type.Object({ connectionId, accountId }),
    query: (args) => args,
  }),
  v1Tool({
    name: 'list_trades',
    title: 'List trades',
    description: `Lists buys, sells, dividends and fees of a brokerage connection, newest first, in decimal text. A window of more than ${LIMITS.trade_window_days.default} days keeps its end and begins later. Professional plan.`,
    endpoint: tradesEndpoint,
    agentScopes: ['brokerage:read'],
    input: Type.Object({
      connectionId,
      accountId,
      from: moment('First day, YYYY-MM-DD or ISO 8601; up to the broker when absent.'),
      to: moment('Last day, included.'),
      ...paging(500, 200),
    }),
    query: (args) => args,
  }),
];

interface Definition<I extends TObject> extends Pick<Tool, 'name' | 'title' | 'description' | 'agentScopes'> {
  readonly endpoint: V1Endpoint;
  readonly input: I;
  /** The parameters of the endpoint. */
  readonly query: (args: Static<I>) => Arguments;
  /** Answers in place of the endpoint; null leaves the call to it. */
  readonly instead?: (args: Static<I>, context: ToolContext) => Promise<V1Answer<unknown>> | null;
}

/** Builds a tool that keeps v1's shape, behind v1's gates, from the endpoint that answers it. */
function v1Tool<I extends TObject>(definition: Definition<I>): Tool {
  const { endpoint, instead, query, input, ...rest } = definition;
  const { tier, scope, orScopes, alsoScopes, planGate } = endpoint;
  const parse = parameterParser(closed(input));
  return {
    ...rest,
    tier,
    scope,
    orScopes,
    alsoScopes,
    planGate,
    longest: null,
    input: plainObjectSchema(closed(input)),
    output: plainObjectSchema(endpoint.response),
    ofV1: true,
    hints: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tier !== 'cheap',
    },
    call: async (sent, context) => {
      try {
        const args = parse(withoutContext(sent), context.services.limits);
        return written(await (instead?.(args, context) ?? endpoint.answer(query(args), context)));
      } catch (error) {
        throw orInvalidArguments(error);
      }
    },
  };
}

function written({ body }: V1Answer<unknown>): ToolAnswer {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  const structured: unknown = body instanceof JsonText ? JSON.parse(text) : body;
  if (!isStructured(structured)) throw new TypeError('v1 answered something that is no object');
  return answerOf(structured, text);
}
