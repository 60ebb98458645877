import { useMutation } from '@tanstack/react-query';
import type { Destination } from '#client';
import { appUrl } from '../../api/app-url.ts';
import { createDestinationLink } from '../../api/destinations.ts';

/** Leaves for the vendor's sign-in, in place of the one that a destination has now, and comes back to its page. */
export function useReconnect({ id, type }: Destination) {
  const reconnect = useMutation({
    mutationFn: () =>
      createDestinationLink({ type, destination: id, return_url: appUrl(`destinations/${id}`).href }),
    onSuccess: ({ url }) => location.assign(url),
  });
  // The vendor's page takes a moment to open: the button stays busy until this page is gone.
  return { ...reconnect, busy: reconnect.isPending || reconnect.isSuccess };
}
