import { LinkButton } from '../../parts/buttons.tsx';
import { PATHS } from '../../routing/paths.ts';
import { DESTINATION } from '../../text/destinations.ts';

/** On to the sync that is to write to a destination. */
export function SetUpSync({ destination }: { readonly destination: string }) {
  return (
    <LinkButton to={PATHS.newSync} search={{ destination }}>
      {DESTINATION.setUpSync}
    </LinkButton>
  );
}
