import type { Caller } from '../../features/access/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { withLimits } from '../v2/schema/bounds.ts';
import { mayUse } from './admit-agent.ts';
import { type JsonSchema, plainObjectSchema } from './json-schema.ts';
import { InvalidArguments, type Tool, type ToolHints } from './tool.ts';

/** One page of `tools/list`. */
interface ToolPage {
  readonly tools: readonly ToolListing[];
  readonly nextCursor?: string;
}

/** For the envelope of a page: `{"tools":[],"nextCursor":"…"}`, its id, and what a revision adds. */
const ENVELOPE_BYTES = 400;
const CURSOR = /^tools-(\d{1,4})$/;

/** The tools offered to a caller, by page. Pages end at fixed tools, so they are stable. */
export class ToolPages {
  readonly #tools: readonly { readonly tool: Tool; readonly listing: ToolListing; readonly bytes: number }[];
  readonly #clock: Clock;
  readonly #mostBytes: number;

  /** `limits`: those that the schemas name, and the bytes of one page as JSON (`mcp_list_bytes`). */
  constructor(tools: readonly Tool[], clock: Clock, limits: Limits) {
    this.#tools = tools.map((tool) => {
      const listing = briefListing(tool, limits);
      return { tool, listing, bytes: Buffer.byteLength(JSON.stringify(listing)) + 1 };
    });
    this.#clock = clock;
    this.#mostBytes = limits.mcp_list_bytes;
  }

  /** The page of a cursor, or the first. Raises InvalidArguments for a cursor that this service did not issue. */
  page(caller: Caller, cursor: string | undefined): ToolPage {
    const from = cursor === undefined ? 0 : this.#positionOf(cursor);
    let bytes = ENVELOPE_BYTES;
    const tools: ToolListing[] = [];
    for (const [at, { tool, listing, bytes: own }] of this.#tools.entries()) {
      if (at < from || !mayUse(tool, caller, this.#clock)) continue;
      if (tools.length > 0 && bytes + own > this.#mostBytes) return { tools, nextCursor: `tools-${at}` };
      bytes += own;
      tools.push(listing);
    }
    return { tools };
  }

  #positionOf(cursor: string): number {
    const position = Number(CURSOR.exec(cursor)?.[1] ?? Number.NaN);
    if (position > 0 && position < this.#tools.length) return position;
    throw new InvalidArguments('cursor is not the nextCursor of a list of tools.', 'cursor');
  }
}

/** A tool as clients see it. */
interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolHints;
}

/** With all details. */
export function fullListing(tool: Tool, limits: Limits): ToolListing {
  return { ...inputListing(tool, limits), outputSchema: inForce(tool.output, limits) };
}

/** As `tools/list` shows it: schemas of answers only where they are part of the published interface. */
function briefListing(tool: Tool, limits: Limits): ToolListing {
  return tool.ofV1 ? fullListing(tool, limits) : inputListing(tool, limits);
}

function inputListing({ name, title, description, input, hints }: Tool, limits: Limits): ToolListing {
  return { name, title, description, inputSchema: inForce(input, limits), annotations: hints };
}

function inForce(schema: JsonSchema, limits: Limits): JsonSchema {
  return plainObjectSchema(withLimits(schema, limits));
}
