import { api } from '../../api/client.ts';

/** An answer of v2 as it came, whatever it says. */
export interface RawAnswer {
  readonly status: number;
  readonly ms: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** There is more of it than a page shows. */
  readonly cut: boolean;
}

/** Enough of any answer to look at; an export has any length. */
const MOST_BYTES = 200_000;

/** Reads an address below `/v2/` as the person who is signed in. Raises UnreachableError. */
export async function tryRequest(path: string, signal: AbortSignal): Promise<RawAnswer> {
  const started = performance.now();
  const response = await api.exchange({ method: 'GET', path, signal });
  const { text, cut } = await beginning(response);
  return {
    status: response.status,
    ms: performance.now() - started,
    headers: [...response.headers],
    text,
    cut,
  };
}

async function beginning({ body }: Response): Promise<Pick<RawAnswer, 'text' | 'cut'>> {
  if (body === null) return { text: '', cut: false };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; bytes < MOST_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), cut: false };
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return { text, cut: true };
}
