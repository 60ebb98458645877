import { dayText } from '../../format/moments.ts';
import type { Coverage } from '../../money/coverage.ts';
import { INSIGHTS } from '../../text/insights.ts';
import classes from './insights.module.css';

interface CoverageNotesProps {
  readonly coverage: Coverage;
  /** The day with which the line begins. */
  readonly start: string | null;
}

/** What the line does not cover, by the names of the accounts. */
export function CoverageNotes({ coverage, start }: CoverageNotesProps) {
  const { notes } = INSIGHTS;
  const lines = [
    { names: coverage.unread, text: notes.unread },
    { names: coverage.withoutBalance, text: notes.withoutBalance },
    { names: coverage.unverified, text: notes.unverified },
    { names: start === null ? [] : coverage.short, text: notes.short(dayText(start ?? '1970-01-01')) },
    { names: coverage.still, text: notes.still },
    { names: coverage.stale, text: notes.stale },
  ].filter(({ names }) => names.length > 0);
  return (
    <ul className={classes.notes}>
      <li>{notes.how}</li>
      {lines.map(({ names, text }) => (
        <li key={text}>{`${text} ${notes.names(names)}`}</li>
      ))}
    </ul>
  );
}
