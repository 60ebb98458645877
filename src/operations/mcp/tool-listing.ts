import type { Limits } from '../../vocabulary/limits.ts';
import { withLimits } from '../v2/schema/bounds.ts';
import { type JsonSchema, plainObjectSchema } from './json-schema.ts';
import type { Tool, ToolHints } from './tool.ts';

/** A tool as clients see it. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolHints;
}

/** With everything there is to know. */
export function fullListing(tool: Tool, limits: Limits): ToolListing {
  return { ...inputListing(tool, limits), outputSchema: inForce(tool.output, limits) };
}

/** As `tools/list` shows it: schemas of answers only where they are part of the published interface. */
export function briefListing(tool: Tool, limits: Limits): ToolListing {
  return tool.ofV1 ? fullListing(tool, limits) : inputListing(tool, limits);
}

function inputListing({ name, title, description, input, hints }: Tool, limits: Limits): ToolListing {
  return { name, title, description, inputSchema: inForce(input, limits), annotations: hints };
}

function inForce(schema: JsonSchema, limits: Limits): JsonSchema {
  return plainObjectSchema(withLimits(schema, limits));
}
