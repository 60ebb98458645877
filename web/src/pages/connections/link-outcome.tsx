import { getRouteApi } from '@tanstack/react-router';
import { Notice } from '../../parts/notice.tsx';
import { PATHS } from '../../routing/paths.ts';
import { LINKED } from '../../text/connections.ts';
import { reasonText } from '../../text/reason.ts';

const route = getRouteApi(PATHS.connections);

/** How linking ended, where the person has just come back from the bank. */
export function LinkOutcome() {
  const { link_session: outcome, reason = '' } = route.useSearch();
  const navigate = route.useNavigate();
  if (outcome === undefined) return null;
  const completed = outcome === 'completed';
  return (
    <Notice
      tone={completed ? 'good' : 'bad'}
      title={completed ? LINKED.completed : LINKED.failed}
      text={completed ? LINKED.completedText : reasonText(LINKED.reasons, reason, LINKED.unknown)}
      onClose={() => navigate({ search: {}, replace: true })}
    />
  );
}
