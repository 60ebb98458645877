import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Destination } from '#client';

import { DESTINATION_KINDS } from '../../../../src/vocabulary/destination-kinds.ts';
import { appUrl } from '../../api/app-url.ts';
import { createDestinationLink } from '../../api/destinations.ts';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { NEW_DESTINATION } from '../../text/new-destination.ts';
import classes from './destinations.module.css';

/** Leaves for the page that asks for permission, then for the vendor's sign-in. */
export function LinkForm({ type }: Pick<Destination, 'type'>) {
  const vendor = DESTINATION_KINDS[type].texts.name;
  const link = useMutation({
    mutationFn: () => {
      const back = appUrl(PATHS.newDestination.slice(1));
      back.searchParams.set('type', type);
      return createDestinationLink({ type, return_url: back.href });
    },
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <div className={classes.form}>
      {link.error === null ? null : (
        <Problem error={link.error} title={NEW_DESTINATION.connectFailed(vendor)} />
      )}
      <p className={classes.muted}>{NEW_DESTINATION.continueText(vendor)}</p>
      <div className={classes.actions}>
        <Button loading={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
          {NEW_DESTINATION.continueTo(vendor)}
        </Button>
      </div>
    </div>
  );
}
