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

/** How many rows of an account a file lacks because they could not be read. */
export interface FileAside {
  readonly account: string;
  readonly rows: number;
}

export interface ExportedFile {
  readonly file: File;
  readonly lacking: readonly FileAside[];
}

/**
 * The file in the response of an export with `set_aside=report`, read completely, and what it lacks; `onBytes` is called
 * with the bytes that have arrived. Raises UnreachableError if the response is aborted (docs/exports.md#an-honest-end).
 */
export async function exportFile(
  response: Response,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<ExportedFile> {
  let bytes = 0;
  const parts = await heard(response, (piece) => {
    bytes += piece.length;
    onBytes(bytes);
  })
    .formData()
    .catch((cause: unknown) => {
      throw new UnreachableError('The response was aborted', { cause });
    });
  const file = parts.get('file');
  if (!(file instanceof File)) throw new UnreachableError('The response has no file');
  return { file, lacking: lackingIn(parts.get('set_aside')) };
}

function lackingIn(part: File | string | null): readonly FileAside[] {
  const counts: unknown = typeof part === 'string' ? JSON.parse(part) : null;
  if (!Array.isArray(counts)) throw new UnreachableError('The response does not say what the file lacks');
  return counts.filter(isFileAside);
}

function isFileAside(value: unknown): value is FileAside {
  return (
    typeof value === 'object' &&
    value !== null &&
    'account' in value &&
    typeof value.account === 'string' &&
    'rows' in value &&
    typeof value.rows === 'number'
  );
}
