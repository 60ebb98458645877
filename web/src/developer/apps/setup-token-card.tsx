import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SimplefinSetupToken } from '#client';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { agoText, dateText } from '../../format/moments.ts';
import { MoreButton } from '../../parts/buttons.tsx';
import { Card } from '../../parts/card.tsx';
import { LoadingRows } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { SIMPLEFIN } from '../../text/apps.ts';
import classes from '../developer.module.css';
import { Refusal } from '../developer-page.tsx';
import { RevokeDialog, setupTokens } from './program-dialogs.tsx';

const TONES: Readonly<Record<SimplefinSetupToken['status'], Tone>> = {
  open: 'warn',
  claimed: 'good',
  expired: 'idle',
  revoked: 'idle',
};

/** The setup tokens and their status. */
export function SetupTokenCard() {
  const queries = useQueryClient();
  const list = useInfiniteQuery(setupTokens);
  const { data: record } = useQuery(me);
  const [asked, setAsked] = useState<SimplefinSetupToken | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: SimplefinSetupToken) => api.simplefinSetupTokens.revoke({ id }),
    onSuccess: () => setAsked(null),
    onSettled: () => queries.invalidateQueries({ queryKey: setupTokens.queryKey }),
  });
  const tokens = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Card title={SIMPLEFIN.tokens}>
      {list.data === undefined || record === undefined ? (
        list.error === null ? (
          <LoadingRows count={1} />
        ) : (
          <div className={classes.inside}>
            <Refusal error={list.error} again={list.refetch} />
          </div>
        )
      ) : tokens.length === 0 ? (
        <p className={classes.none}>{SIMPLEFIN.noTokens}</p>
      ) : (
        <ul className={rows.rows}>
          {tokens.map((token) => (
            <li key={token.id} className={rows.row}>
              <div className={rows.words}>
                <p className={rows.name}>
                  {token.name}
                  <StatusBadge tone={TONES[token.status]}>{SIMPLEFIN.tokenStatus[token.status]}</StatusBadge>
                </p>
                <p className={rows.detail}>
                  {SIMPLEFIN.madeOn(dateText(token.created, record.timezone))}
                  {token.status === 'open' ? ` · ${SIMPLEFIN.ends(agoText(token.expires_at))}` : null}
                  {token.two_decimals ? ` · ${SIMPLEFIN.twoDecimals.set}` : null}
                  {token.leave_out_extra ? ` · ${SIMPLEFIN.leaveOutExtra.set}` : null}
                </p>
              </div>
              {token.status === 'open' ? (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    revoke.reset();
                    setAsked(token);
                  }}
                >
                  {SIMPLEFIN.revoke}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {asked === null ? null : (
        <RevokeDialog
          words={SIMPLEFIN.revokingToken}
          name={asked.name}
          busy={revoke.isPending}
          error={revoke.error}
          onConfirm={() => revoke.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
}
