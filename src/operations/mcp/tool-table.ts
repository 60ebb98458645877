import { OPERATIONS } from '../operation-table.ts';
import { operationTool } from './operation-tool.ts';
import { LEFT_OUT, searchTools } from './search-tools.ts';
import type { Tool } from './tool.ts';
import { V1_TOOLS } from './v1-tools.ts';

const TAKEN: ReadonlySet<string> = new Set(V1_TOOLS.map(({ name }) => name));

/** The name of the tool of an operation of v2. */
export function toolNameOf(operationId: string): string {
  return TAKEN.has(operationId) ? `${operationId}_v2` : operationId;
}

const OPERATION_TOOLS: readonly Tool[] = OPERATIONS.flatMap((operation) =>
  operation.streamed !== null || Object.hasOwn(LEFT_OUT, operation.id)
    ? []
    : [operationTool(operation, toolNameOf(operation.id))],
);

/**
 * Every tool, in the order in which clients see them: those of the published interface, the search, then those that
 * read before those that write.
 */
export const TOOLS: readonly Tool[] = [
  ...V1_TOOLS,
  searchTools(OPERATION_TOOLS),
  ...OPERATION_TOOLS.filter(({ hints }) => hints.readOnlyHint),
  ...OPERATION_TOOLS.filter(({ hints }) => !hints.readOnlyHint),
];

/**
 * What a client is shown that does not ask for all tools (`?tools=all`): what people ask agents for, on one page, because
 * many clients read no second one and call nothing that is not listed. None makes or ends access.
 */
const LISTED_FIRST: ReadonlySet<string> = new Set([
  ...TAKEN,
  'search_tools',
  'list_accounts_v2',
  'list_categories',
  'list_destinations',
  'list_syncs',
  'list_sync_runs',
  'verify_sync',
  'list_rulesets',
  'claim_category_sources',
  'create_sync',
  'run_sync',
  'create_rule',
]);

export const FIRST_TOOLS: readonly Tool[] = TOOLS.filter(({ name }) => LISTED_FIRST.has(name));

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | null {
  return BY_NAME.get(name) ?? null;
}
