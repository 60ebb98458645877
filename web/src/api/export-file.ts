import { Unreachable } from './api-error.ts';

/**
 * The file in the answer of an export, read to its end; `onBytes` hears how many bytes have arrived. Raises Unreachable
 * where the answer is broken off (docs/exports.md#an-honest-end).
 */
export async function exportFile(
  response: Response,
  fallbackName: string,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<File> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read().catch(brokenOff)) ?? { done: true, value: undefined };
    if (done) break;
    pieces.push(value);
    bytes += value.length;
    onBytes(bytes);
  }
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  return new File(pieces, nameIn(response) ?? fallbackName, { type });
}

function brokenOff(cause: unknown): never {
  throw new Unreachable('The answer was broken off', { cause });
}

function nameIn(response: Response): string | null {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null;
}
