import { jsonLines, UnreachableError } from '#client';

/** How long rows are parsed, in milliseconds, before the page gets its turn. */
const TURN_MS = 30;

/** The same response, with `onPiece` called, and awaited, before each piece is read. */
export function heard(
  response: Response,
  onPiece: (piece: Uint8Array<ArrayBuffer>) => Promise<void> | void,
): Response {
  const hearing = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: async (piece, controller) => {
      await onPiece(piece);
      controller.enqueue(piece);
    },
  });
  return new Response(response.body?.pipeThrough(hearing) ?? null, response);
}

/**
 * The rows of an export of JSON lines as they arrive, read so that the page stays usable meanwhile. Leaving the loop
 * ends the request. Raises ApiError or UnreachableError if the response is incomplete.
 */
export function rowsIn<T>(response: Response): AsyncGenerator<T, void> {
  let turn = performance.now();
  const slowed = heard(response, async () => {
    if (performance.now() - turn < TURN_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    turn = performance.now();
  });
  return jsonLines<T>(slowed);
}

/**
 * The file in the response of an export, read completely; `onBytes` is called with the bytes that have arrived. Raises
 * UnreachableError if the response is aborted (docs/exports.md#an-honest-end).
 */
export async function exportFile(
  response: Response,
  fallbackName: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<File> {
  let bytes = 0;
  const content = await heard(response, (piece) => {
    bytes += piece.length;
    onBytes(bytes);
  })
    .blob()
    .catch((cause: unknown) => {
      throw new UnreachableError('The response was aborted', { cause });
    });
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  return new File([content], nameIn(response) ?? fallbackName, { type });
}

function nameIn(response: Response): string | null {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
}
