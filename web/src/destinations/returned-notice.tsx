import { Notice } from '../parts/notice.tsx';
import { RETURNED } from '../text/destinations.ts';
import { reasonText } from '../text/problems.ts';
import type { DestinationReturn } from './search.ts';

interface ReturnedNoticeProps {
  readonly outcome: DestinationReturn;
  /** What to do next, where the sign-in is done. */
  readonly next: string;
  readonly onClose: () => void;
}

/** How connecting ended, if the person has just come back from the vendor. */
export function ReturnedNotice({ outcome, next, onClose }: ReturnedNoticeProps) {
  const { destination_link: link, reason = '' } = outcome;
  if (link === undefined) return null;
  const completed = link === 'completed';
  return (
    <Notice
      tone={completed ? 'good' : 'bad'}
      title={completed ? RETURNED.completed : RETURNED.failed}
      text={completed ? next : reasonText(RETURNED.reasons, reason, RETURNED.unknown)}
      onClose={onClose}
    />
  );
}
