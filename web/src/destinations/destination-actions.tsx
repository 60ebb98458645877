import { useMutation } from '@tanstack/react-query';
import type { Destination } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../api/app-url.ts';
import { createDestinationLink } from '../api/destinations.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { DESTINATION, DESTINATIONS } from '../text/destinations.ts';

/** Goes to the vendor to sign in again for a destination, and comes back to its page. */
export function useReconnect({ id, type }: Destination) {
  const stillHere = useStillHere();
  const reconnect = useMutation({
    mutationFn: () =>
      createDestinationLink({ type, destination: id, return_url: appUrl(`destinations/${id}`).href }),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
  });
  // The vendor's page takes a moment to open: the button stays busy until this page is gone.
  return { ...reconnect, busy: reconnect.isPending || reconnect.isSuccess };
}

/** Continues to the sync that is to write to a destination. */
export function SetUpSync({ destination }: { readonly destination: string }) {
  return (
    <LinkButton to={APP_PATHS.newSync} search={{ destination }}>
      {DESTINATION.setUpSync}
    </LinkButton>
  );
}

const TONES: Readonly<Record<Destination['status'], Tone>> = {
  active: 'good',
  incomplete: 'warn',
  reauth_required: 'bad',
  disabled: 'bad',
};

export function DestinationStatus({ status }: Pick<Destination, 'status'>) {
  return <StatusBadge tone={TONES[status]}>{DESTINATIONS.status[status]}</StatusBadge>;
}
