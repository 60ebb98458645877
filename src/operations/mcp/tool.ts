import type { Caller } from '../../features/access/caller.ts';
import type { Origin } from '../../features/audit/audit-log.ts';
import type { ErrorCode } from '../../vocabulary/error-codes.ts';
import type { LimitName } from '../../vocabulary/limits.ts';
import type { AgentScope } from '../../vocabulary/oauth-scopes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Admissible } from '../admit.ts';
import type { Operation } from '../operation.ts';
import type { Services } from '../services.ts';
import { V1Refusal } from '../v1/failures.ts';
import type { Json, JsonSchema } from './json-schema.ts';

/** The context of a call. */
export interface ToolContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly from: Origin;
  /** Aborts when the caller disconnects. Requested only by tools that use it. */
  readonly signal: () => AbortSignal;
}

/** The result of a call: JSON, as a value and serialised. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Hints for a client about a call, before it asks its person (MCP, ToolAnnotations). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/**
 * A tool is data, free of transport: its listing, its admission and the suites of test/surfaces/mcp derive from it. It
 * answers what v1 or v2 answer, through their own endpoints and operations.
 */
export interface Tool extends Admissible {
  readonly name: string;
  readonly title: string;
  /** When to use it, and the units of its result. */
  readonly description: string;
  readonly hints: ToolHints;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** One of the six of the published interface: its failures have v1's codes, and its output schema is listed. */
  readonly ofV1: boolean;
  /** Needed beside `mcp:read`. */
  readonly agentScopes: readonly AgentScope[];
  /** As in Operation. */
  readonly longest: LimitName | null;
  /** Raises InvalidArguments for arguments that are not of `input`, and what the endpoint or operation raises. */
  readonly call: (args: Arguments, context: ToolContext) => Promise<ToolAnswer>;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A result from serialised JSON, or from a value. */
export function answerOf(structured: ToolAnswer['structured'], text?: string): ToolAnswer {
  return { structured, text: text ?? JSON.stringify(structured) };
}

export function isStructured(value: unknown): value is ToolAnswer['structured'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The arguments of a call are invalid; answered as invalid params of JSON-RPC. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
  /** The argument at fault, if it is one. */
  readonly param: string | null;
  readonly code: ErrorCode;

  constructor(message: string, param: string | null = null, code: ErrorCode = 'parameter_invalid') {
    super(message);
    this.param = param;
    this.code = code;
  }
}

/** An argument that the tool does not have. */
export function unknownArgument(name: string): InvalidArguments {
  const shown = name.slice(0, 100).toWellFormed();
  return new InvalidArguments(`${shown} is not an argument of this tool.`, shown);
}

/** Codes for input that does not have the form that the operation requires. */
const OF_FORM: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'parameter_invalid',
  'parameter_missing',
  'include_invalid',
  'body_invalid',
  'idempotency_key_invalid',
]);

/** The error itself, or InvalidArguments if it says that the arguments do not have the required form. */
export function orInvalidArguments(raised: unknown): unknown {
  if (raised instanceof ServiceError && OF_FORM.has(raised.code)) {
    return new InvalidArguments(raised.message, raised.param, raised.code);
  }
  if (raised instanceof V1Refusal && raised.reason === 'parameters_invalid') {
    return new InvalidArguments(raised.message, Object.keys(raised.details ?? {})[0] ?? null);
  }
  return raised;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/**
 * The arguments as the tool takes them. Hosts and models send `null` for what they leave out, and a number as text:
 * where an optional argument takes no null it counts as left out, and where only a number is taken its text is read.
 */
export function lenientArguments({ properties, required = [] }: JsonSchema, args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (schema === undefined) return [[name, value]];
      if (value === null && !required.includes(name) && !takes(schema, 'null')) return [];
      const isNumeric = takes(schema, 'number') && !takes(schema, 'string');
      return [[name, isNumeric && typeof value === 'string' && NUMBER.test(value) ? Number(value) : value]];
    }),
  );
}

/** Whether a value of the JSON type may match the schema; true where the schema says nothing of types. */
function takes(schema: Json, type: 'null' | 'number' | 'string'): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return true;
  const { anyOf, type: named } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((one) => takes(one, type));
  if ('const' in schema) return typeOf(schema.const) === type;
  if (Array.isArray(schema.enum)) return schema.enum.some((one) => typeOf(one) === type);
  if (named === undefined) return true;
  const types: readonly Json[] = Array.isArray(named) ? named : [named];
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

function typeOf(value: Json | undefined): string {
  return value === null ? 'null' : typeof value;
}

const MOST_CHARACTERS = 2000;

/** The agent's reason, which some clients send with every call. It is neither read nor stored. */
export const CONTEXT_SCHEMA: Json = { type: 'string', maxLength: MOST_CHARACTERS };

/** The arguments without `context`. Raises InvalidArguments where it is no text or a long one. */
export function withoutContext(args: Arguments): Arguments {
  if (!Object.hasOwn(args, 'context')) return args;
  const { context, ...rest } = args;
  if (typeof context !== 'string' || context.length > MOST_CHARACTERS) {
    throw new InvalidArguments(`context must be text of at most ${MOST_CHARACTERS} characters.`, 'context');
  }
  return rest;
}

/** Whether what it removes cannot be restored. */
export function isDestructive({ method, body }: Pick<Operation, 'method' | 'body'>): boolean {
  return method === 'DELETE' || Object.hasOwn(body.properties, 'confirm');
}

/** Whether the tool asks for a `confirm` that the operation does not have. */
export function addsConfirm(operation: Operation): boolean {
  return isDestructive(operation) && !Object.hasOwn(operation.body.properties, 'confirm');
}
