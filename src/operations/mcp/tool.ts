import type { Caller } from '../../features/access/caller.ts';
import type { Origin } from '../../features/audit/audit-log.ts';
import type { LimitName } from '../../vocabulary/limits.ts';
import type { AgentScope } from '../../vocabulary/oauth-scopes.ts';
import type { Admissible } from '../admit.ts';
import type { Services } from '../services.ts';
import type { JsonSchema } from './json-schema.ts';

/** What comes with a call besides its arguments. */
export interface ToolContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly from: Origin;
  /** Aborts when the caller goes away. Asked for only by tools that look whether they are there. */
  readonly signal: () => AbortSignal;
}

/** What a call answers: JSON, as a value and written down. */
export interface ToolAnswer {
  readonly structured: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** What a client may think of a call before it asks its person (MCP, ToolAnnotations). */
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
  /** When to use it, and in which units it speaks. */
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

/** An answer from JSON that is written down already, or from a value. */
export function answerOf(structured: ToolAnswer['structured'], text?: string): ToolAnswer {
  return { structured, text: text ?? JSON.stringify(structured) };
}

export function isStructured(value: unknown): value is ToolAnswer['structured'] {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
