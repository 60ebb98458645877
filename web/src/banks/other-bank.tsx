import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Connection } from '#client';
import { api } from '../api/client.ts';
import { createLinkSession } from '../api/connections.ts';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { OTHER_BANK } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import classes from './connections.module.css';

interface OtherBankProps {
  readonly connection: Connection;
  /** Inside the card of the connection. */
  readonly inset?: boolean;
}

/** Says that the vendor's page linked another bank than the one that was chosen, and offers to link that one. */
export function OtherBank({ connection, inset = false }: OtherBankProps) {
  const { id, provider, institution, chosen_institution: chosen } = connection;
  const queries = useQueryClient();
  const stillHere = useStillHere();
  const link = useMutation({
    mutationFn: (bank: string) => createLinkSession({ provider, id: bank }, 'connections'),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  const keep = useMutation({
    mutationFn: () => api.connections.update({ id, chosen_institution: null }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['connections'] }),
  });
  if (chosen === null) return null;
  const { through } = providerTexts(provider);
  const error = link.error ?? keep.error;
  return (
    <section className={inset ? `${classes.other} ${classes.within}` : classes.other} role="status">
      <p className={classes.otherTitle}>{OTHER_BANK.title(institution.name, chosen.name)}</p>
      <p>{OTHER_BANK.text(chosen.name, through)}</p>
      {error === null ? null : <Problem error={error} title={OTHER_BANK.failed} />}
      <OwnerOnly scope="connections:write">
        <div className={classes.choices}>
          <Button
            size="xs"
            loading={link.isPending || link.isSuccess}
            disabled={keep.isPending}
            onClick={() => link.mutate(chosen.id)}
          >
            {OTHER_BANK.link(chosen.name)}
          </Button>
          <Button
            size="xs"
            variant="default"
            loading={keep.isPending}
            disabled={link.isPending || link.isSuccess}
            onClick={() => keep.mutate()}
          >
            {OTHER_BANK.keep}
          </Button>
        </div>
      </OwnerOnly>
    </section>
  );
}
