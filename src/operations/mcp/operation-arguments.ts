import type { Operation } from '../operation.ts';
import type { Asked } from '../operation-request.ts';
import { refuseUnstorableIn } from '../parameters.ts';
import { withoutContext } from './context-argument.ts';
import { InvalidArguments, unknownArgument } from './invalid-arguments.ts';
import { readPageToken } from './page-token.ts';
import type { Arguments } from './tool.ts';
import { isDestructive } from './tool-traits.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a call asks of an operation. */
export interface OperationCall extends Asked<Values, Values, Values> {
  readonly idempotencyKey: string | undefined;
}

/** Where each argument of the operation's tool goes. Raises a TypeError where two would have one name. */
export function argumentPlaces(operation: Operation): ReadonlyMap<string, keyof Asked<0, 0, 0>> {
  const places = new Map<string, keyof Asked<0, 0, 0>>();
  for (const place of ['params', 'query', 'body'] as const) {
    for (const name of Object.keys(operation[place].properties)) {
      if (places.has(name)) throw new TypeError(`${operation.id} has two arguments named ${name}`);
      places.set(name, place);
    }
  }
  return places;
}

/** Whether the tool asks for a `confirm` that the operation does not have. */
export function addsConfirm(operation: Operation): boolean {
  return isDestructive(operation) && !Object.hasOwn(operation.body.properties, 'confirm');
}

/**
 * Sorts the arguments of a call into what the operation takes, whose own schemas then look at the values. Raises
 * InvalidArguments.
 */
export function operationCall(
  operation: Operation,
  places: ReadonlyMap<string, keyof Asked<0, 0, 0>>,
  sent: Arguments,
): OperationCall {
  const { include, idempotency_key: key, ...args } = confirmed(operation, withoutContext(sent));
  const found: Record<'params' | 'query' | 'body', [string, unknown][]> = { params: [], query: [], body: [] };
  for (const [name, value] of Object.entries(args)) {
    const place = places.get(name);
    if (place === undefined || place === 'include') throw unknownArgument(name);
    found[place].push([name, value]);
  }
  const call = {
    params: Object.fromEntries(found.params),
    query: Object.fromEntries(found.query),
    body: Object.fromEntries(found.body),
    include: includes(operation, include),
    idempotencyKey: idempotencyKey(operation, key),
  };
  refuseUnstorableIn(call.query);
  return continued(operation, call);
}

function confirmed(operation: Operation, args: Arguments): Arguments {
  if (!addsConfirm(operation)) return args;
  const { confirm, ...rest } = args;
  if (confirm === true) return rest;
  throw new InvalidArguments(
    'This cannot be undone. Ask the person first, then call again with confirm: true.',
    'confirm',
  );
}

function includes({ includes: offered }: Operation, include: unknown): ReadonlySet<string> {
  if (include === undefined) return new Set();
  if (offered.length === 0) throw unknownArgument('include');
  const named: unknown[] = Array.isArray(include) ? include : [include];
  const known = named.filter((name) => typeof name === 'string' && offered.includes(name)).map(String);
  if (known.length === named.length) return new Set(known);
  throw new InvalidArguments(`include must be a list of: ${offered.join(', ')}.`, 'include');
}

function idempotencyKey({ effect }: Operation, key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (effect === 'reads') throw unknownArgument('idempotency_key');
  if (typeof key === 'string') return key;
  throw new InvalidArguments('idempotency_key must be text.', 'idempotency_key');
}

/** A page token brings along what the address of the page has in v2. What is sent beside it goes first. */
function continued(operation: Operation, call: OperationCall): OperationCall {
  const { page, ...query } = call.query;
  if (typeof page !== 'string') return call;
  const { page: token, params, limit, include } = readPageToken(page);
  return {
    ...call,
    params: { ...params, ...call.params },
    query: { ...(limit === null ? {} : { limit }), ...query, page: token },
    include: new Set([...includes(operation, include.length === 0 ? undefined : include), ...call.include]),
  };
}
