/** About a millisecond of work, and the size from which an answer counts as large (docs/limits.md, `answer_bytes`). */
const SLICE_CHARACTERS = 65_536;

/**
 * The JSON of an answer. Of a list, more than one slice of 64 K characters is written with a turn of the event loop after
 * each: many large lists that are ready at the same moment then do not keep everything else waiting for their sum. It
 * yields by length, not by time as EventLoopBudget does, since each of them alone stays within any budget of time.
 */
export async function slicedJson(answer: unknown): Promise<string> {
  if (!isList(answer)) return JSON.stringify(answer);
  const { data } = answer;
  const items: string[] = [];
  let characters = 0;
  for (const item of data) {
    const text = JSON.stringify(item);
    items.push(text);
    characters += text.length;
    if (characters < SLICE_CHARACTERS) continue;
    characters = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const members = Object.entries(answer).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value === data ? `[${items.join(',')}]` : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

function isList(answer: unknown): answer is { readonly data: readonly unknown[] } {
  if (typeof answer !== 'object' || answer === null) return false;
  return 'object' in answer && answer.object === 'list' && 'data' in answer && Array.isArray(answer.data);
}
