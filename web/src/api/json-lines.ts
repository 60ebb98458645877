import { ApiError, Unreachable } from './api-error.ts';

/** So long, in milliseconds, rows are parsed before the page gets its turn. */
const TURN_MS = 30;
/** How the last line begins of an export that could not be read to its end (docs/exports.md#an-honest-end). */
const FAILED = '{"error":';
/** What v2 answers where a bank fails before the first row, so that both failures are handled alike. */
const BAD_GATEWAY = 502;

/**
 * The rows of an export of JSON lines as they arrive. Leaving the loop ends the request. Raises ApiError or Unreachable
 * where the answer does not come to its end, so that nobody takes a part for the whole.
 */
export async function* jsonLines<T>(response: Response): AsyncGenerator<T> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  let turn = performance.now();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (done) break;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(FAILED)) throw failureIn(line, response);
        const row: T = JSON.parse(line);
        yield row;
      }
      if (performance.now() - turn < TURN_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now();
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (rest !== '') throw new Unreachable('The answer ended within a row');
}

function failureIn(line: string, response: Response): ApiError {
  const { error }: { error: { message: string } } = JSON.parse(line);
  return new ApiError(error.message, {
    status: BAD_GATEWAY,
    code: null,
    param: null,
    docUrl: null,
    requestId: response.headers.get('request-id'),
    retryAfterMs: null,
  });
}

function brokenOff(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Unreachable('The answer was broken off', { cause: error });
}
