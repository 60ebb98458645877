import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Account } from '#client';
import { KNOWN_BALANCE_SIGNS, type KnownBalanceSign } from '../../../../src/vocabulary/balance-signs.ts';
import { api } from '../../api/client.ts';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Problem } from '../../parts/problem.tsx';
import rows from '../../parts/rows.module.css';
import { HOME } from '../../text/home.ts';
import classes from './home.module.css';

/** What a positive balance of a loan or a card means, where nothing but a person can say it. */
export function SignQuestion({ account: { id, name } }: { readonly account: Account }) {
  const queries = useQueryClient();
  const answering = useMutation({
    mutationFn: (sign: KnownBalanceSign) => api.accounts.update({ id, balance_sign: sign }),
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <div className={classes.outcome}>
      <p className={rows.detail}>{HOME.sign.question}</p>
      <OwnerOnly scope="connections:write" otherwise="sentence">
        <div className={classes.answers}>
          {KNOWN_BALANCE_SIGNS.map((sign) => (
            <Button
              key={sign}
              size="xs"
              variant="default"
              aria-label={HOME.sign.of(HOME.sign[sign], name)}
              loading={answering.isPending && answering.variables === sign}
              disabled={answering.isPending}
              onClick={() => answering.mutate(sign)}
            >
              {HOME.sign[sign]}
            </Button>
          ))}
        </div>
      </OwnerOnly>
      {answering.error === null ? null : <Problem error={answering.error} title={HOME.sign.failed} />}
    </div>
  );
}
