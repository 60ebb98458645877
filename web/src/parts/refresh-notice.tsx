import type { RefreshedBank } from '../api/refresh-bank.ts';
import { useLiveReads } from '../api/use-events.ts';
import { agoText } from '../format/moments.ts';
import { CONNECTIONS } from '../text/connections.ts';
import { Notice } from './notice.tsx';

interface RefreshNoticeProps {
  readonly bank: string;
  readonly refreshed: RefreshedBank;
  readonly onClose: () => void;
}

/** Says what refreshing a bank did, and listens while it is shown: the provider fetches from the bank after it answered. */
export function RefreshNotice({ bank, refreshed: { reads, balances, runs }, onClose }: RefreshNoticeProps) {
  useLiveReads();
  const { refreshing } = CONNECTIONS;
  return (
    <Notice
      tone="good"
      title={
        reads.purged
          ? refreshing.justNow(bank)
          : refreshing.recent(agoText(reads.purged_at), agoText(reads.available_at))
      }
      text={[
        ...(balances === null ? [] : [refreshing.balances(balances.read, balances.all)]),
        refreshing.runs(runs),
      ].join(' ')}
      onClose={onClose}
    />
  );
}
