import {
  type JSONRPCRequest,
  type MessageClassification,
  specTypeSchemas,
} from '@modelcontextprotocol/server';

/** Of the methods that the SDK itself would answer as an internal error where their parameters are of another form. */
const SCHEMAS = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
} as const;

/** What is wrong with the parameters of a request, or null; those of a call its tool looks at. */
export function faultOf(message: JSONRPCRequest, { era }: MessageClassification): string | null {
  const { method } = message;
  // The newer era has no handshake, so it is nothing to have parameters.
  if (!isChecked(method) || (era === 'modern' && method === 'initialize')) return null;
  const verdict = SCHEMAS[method]['~standard'].validate(message);
  if (verdict instanceof Promise) throw new TypeError('a schema of the protocol is looked at later');
  const [first] = verdict.issues ?? [];
  if (first === undefined) return null;
  const path = (first.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return `${path.join('.').slice(0, 120)}: ${first.message}`;
}

function isChecked(method: string): method is keyof typeof SCHEMAS {
  return Object.hasOwn(SCHEMAS, method);
}
