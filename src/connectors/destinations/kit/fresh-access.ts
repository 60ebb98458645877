import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationAccess } from '../destination-opening.ts';

/** A grant that is a moment old and stored nowhere yet: a vendor that refuses it refuses the sign-in. */
export function freshAccess(grant: string): DestinationAccess {
  return {
    owner: '',
    current: async () => grant,
    renew: async () => {
      throw new UpstreamFailure('grant_rejected', 'The vendor refused the token that it had just issued.');
    },
  };
}
