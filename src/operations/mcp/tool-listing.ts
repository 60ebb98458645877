import type { JsonSchema } from './json-schema.ts';
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
export function fullListing(tool: Tool): ToolListing {
  return { ...inputListing(tool), outputSchema: tool.output };
}

/** As `tools/list` shows it: schemas of answers only where they are part of the published interface. */
export function briefListing(tool: Tool): ToolListing {
  return tool.ofV1 ? fullListing(tool) : inputListing(tool);
}

function inputListing({ name, title, description, input, hints }: Tool): ToolListing {
  return { name, title, description, inputSchema: input, annotations: hints };
}
