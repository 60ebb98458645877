import { getRouteApi } from '@tanstack/react-router';
import { Notice } from '../../parts/notice.tsx';
import { PATHS } from '../../routing/paths.ts';
import { LINKED } from '../../text/connections.ts';
import { reasonText } from '../../text/reason.ts';
import { WELCOME } from '../../text/welcome.ts';

const route = getRouteApi(PATHS.welcome);

/** Why nothing was linked or connected, where the person has just come back without. Success shows in the steps. */
export function Outcome() {
  const { link_session: bank, destination_link: destination, reason = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const failed = bank === 'failed' ? LINKED : destination === 'failed' ? WELCOME.notConnected : null;
  if (failed === null) return null;
  return (
    <Notice
      tone="bad"
      title={failed.failed}
      text={bank === 'failed' ? reasonText(LINKED.reasons, reason, failed.unknown) : failed.unknown}
      onClose={() => navigate({ search: {}, replace: true })}
    />
  );
}
