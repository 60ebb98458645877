import { apiError, TributaryError } from './errors.ts';
import { ERROR_CODES, ERROR_TYPES } from './generated/error-codes.ts';

/** Far more than any JSON answer of the service has. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Raises ApiError for anything but a success, and reads its body. */
export async function refuse(response: Response): Promise<void> {
  if (response.ok) return;
  const { status, headers } = response;
  const said = await textOf(response)
    .then((text): unknown => JSON.parse(text))
    .catch(() => null);
  const error = isRecord(said) && isRecord(said.error) ? said.error : {};
  const { message, type, code, param, doc_url: docUrl } = error;
  throw apiError(textOrNull(message) ?? `The service answered ${status}`, {
    status,
    type: ERROR_TYPES.find((one) => one === type) ?? null,
    code: ERROR_CODES.find((one) => one === code) ?? null,
    param: textOrNull(param),
    docUrl: textOrNull(docUrl),
    requestId: headers.get('request-id'),
    retryAfterMs: millisecondsIn(headers.get('retry-after')),
  });
}

/** The whole body as text. Raises TributaryError for one that is too large to be an answer of the service. */
export async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of piecesOf(response)) {
    bytes += piece.byteLength;
    if (bytes > MOST_BYTES) throw new TributaryError(`The answer is larger than ${MOST_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The body as it arrives; a reader that stops early cancels it. Not every browser reads a stream by `for await`. */
export async function* piecesOf(response: Response): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** `Retry-After` as the service sends it: whole seconds. */
function millisecondsIn(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
