import { apiError, TributaryError, UnreachableError } from './errors.ts';
import { piecesOf } from './responses.ts';

/** One message of a stream of server-sent events (HTML Living Standard, section 9.2). */
export interface ServerSent {
  readonly id: string | null;
  readonly data: string;
}

/** The messages of a response as they arrive. Comments and messages without data are left out. */
export async function* serverSentEvents(response: Response): AsyncGenerator<ServerSent, void> {
  let id: string | null = null;
  let data: string[] = [];
  for await (const lines of linesOf(response)) {
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { id, data: data.join('\n') };
        data = [];
        continue;
      }
      const at = line.indexOf(':');
      const name = at < 0 ? line : line.slice(0, at);
      const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
      if (name === 'data') data.push(value);
      else if (name === 'id') id = value;
    }
  }
}

/** How the last line begins of an export that could not be read to its end (docs/exports.md#an-honest-end). */
const FAILED = '{"error":';
/** What v2 answers where a bank fails before the first row, so that both failures are handled alike. */
const BAD_GATEWAY = 502;
/** In characters: far more than any row or event has. */
const LONGEST_LINE = 8 * 1024 * 1024;

/**
 * The rows of an export in the format `jsonl` as they arrive. Leaving the loop ends the request. Raises UpstreamError or
 * UnreachableError where the answer does not come to its end, so that nobody takes a part for the whole.
 */
export async function* jsonLines<T>(response: Response): AsyncGenerator<T, void> {
  for await (const lines of linesOf(response)) {
    for (const line of lines) {
      if (line.startsWith(FAILED)) throw failureIn(line, response);
      const row: T = JSON.parse(line);
      yield row;
    }
  }
}

function failureIn(line: string, response: Response): TributaryError {
  const { error }: { error: { message: string } } = JSON.parse(line);
  return apiError(error.message, {
    status: BAD_GATEWAY,
    type: 'upstream_error',
    code: null,
    param: null,
    docUrl: null,
    requestId: response.headers.get('request-id'),
    retryAfterMs: null,
  });
}

/**
 * Whole lines, those that arrived together at once: a turn of the loop for each of 100,000 lines would take longer than
 * to parse it. Raises UnreachableError where the stream breaks off, also within a line.
 */
async function* linesOf(response: Response): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const piece of piecesOf(response)) {
      const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split(/\r?\n/);
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE)
        throw new TributaryError(`A line is longer than ${LONGEST_LINE} characters`);
      yield lines;
    }
  } catch (error) {
    if (error instanceof TributaryError) throw error;
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new UnreachableError('The answer was cut off', { cause: error });
  }
  if (rest + decoder.decode() !== '') throw new UnreachableError('The answer ended within a line');
}
