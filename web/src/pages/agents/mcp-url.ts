import { queryOptions } from '@tanstack/react-query';
import { UnreachableError } from '#client';
import { appUrl } from '../../api/app-url.ts';

const METADATA = '.well-known/oauth-protected-resource/mcp';

/**
 * The address of the MCP server, as agents themselves find it: in the metadata of the resource (RFC 9728). Where the
 * application has a path of its own (APP_URL), the document may be at the root of the host alone. Raises UnreachableError.
 */
export const mcpUrl = queryOptions({
  queryKey: ['mcp-url'],
  queryFn: async ({ signal }) => {
    const found =
      (await resourceIn(appUrl(METADATA), signal)) ??
      (await resourceIn(new URL(`/${METADATA}`, location.origin), signal));
    if (found === null) throw new UnreachableError('The service does not say where its MCP server is.');
    return found;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

interface ResourceMetadata {
  readonly resource: string;
}

/** Null where the document is not there. */
async function resourceIn(url: URL, signal: AbortSignal): Promise<string | null> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new UnreachableError('No answer', { cause: error });
  });
  if (!response.ok) return null;
  const metadata: ResourceMetadata = await response.json();
  return metadata.resource;
}
