import type { Transaction } from '#client';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { Entry } from './entries.ts';
import { HeadingEntry } from './heading-entry.tsx';
import { RowEntry } from './row-entry.tsx';

interface VirtualEntriesProps {
  readonly entries: readonly Entry[];
  readonly nameOf: (category: string) => string;
  readonly accountOf: ((account: string) => string) | null;
  readonly dated: boolean;
  readonly onOpen: (row: Transaction) => void;
  readonly onEnd: (() => unknown) | null;
}

const ROW_PX = 56;
const HEADING_PX = 36;

/** Rows of any number below their headings. */
export function VirtualEntries({ entries, nameOf, accountOf, dated, onOpen, onEnd }: VirtualEntriesProps) {
  const isRow = (at: number) => entries[at]?.kind === 'row';
  return (
    <VirtualList
      count={entries.length}
      sizeOf={(at) => (isRow(at) ? ROW_PX : HEADING_PX)}
      keyOf={(at) => keyOf(entries[at], at)}
      isRow={isRow}
      onEnd={onEnd}
      opens
      draw={(at, focus) => {
        const entry = entries[at];
        if (entry === undefined) return null;
        if (entry.kind !== 'row') return <HeadingEntry entry={entry} />;
        const { row } = entry;
        return (
          <RowEntry
            row={row}
            nameOf={nameOf}
            accountOf={accountOf}
            dated={dated}
            focus={focus}
            onOpen={() => onOpen(row)}
          />
        );
      }}
    />
  );
}

function keyOf(entry: Entry | undefined, at: number): string {
  if (entry?.kind === 'row') return entry.row.id;
  return entry?.kind === 'day' ? `day ${entry.day ?? at}` : `heading ${at}`;
}
