import type { Point, RowFilter, RowSource, RowStream } from './source.ts';

export type RowPage = {
  readonly rows: readonly string[];
  /** The positions of the last two rows, for the cursor; null on an empty page. */
  readonly last: Point | null;
  readonly lastButOne: Point | null;
  readonly more: boolean;
};

/** One page over any number of sources, newest first. Cost: page size times the number of sources. */
export function pageRows(
  sources: readonly RowSource[],
  after: Point | null,
  size: number,
  filter: RowFilter,
): RowPage {
  const heads = sources.map((source) => ({ key: source.key, stream: source.open(after, filter) }));
  heads.sort((a, b) => (a.key < b.key ? -1 : 1));
  const rows: string[] = [];
  let last: Point | null = null;
  let lastButOne: Point | null = null;
  for (;;) {
    const head = newest(heads);
    if (!head) return { rows, last, lastButOne, more: false };
    if (rows.length === size) return { rows, last, lastButOne, more: true };
    rows.push(head.stream.json());
    if (rows.length >= size - 1) {
      lastButOne = last;
      last = { time: head.time, source: head.key, position: head.stream.position };
    }
    head.stream.advance();
  }
}

type Head = { readonly key: string; readonly stream: RowStream };

function newest(heads: readonly Head[]): (Head & { readonly time: number }) | null {
  let best: Head | null = null;
  let bestTime = Number.NEGATIVE_INFINITY;
  for (const head of heads) {
    const { time } = head.stream;
    if (time !== null && time > bestTime) {
      best = head;
      bestTime = time;
    }
  }
  return best ? { key: best.key, stream: best.stream, time: bestTime } : null;
}
