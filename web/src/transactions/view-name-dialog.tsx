import type { ComponentProps } from 'react';
import { FIXED_LIMITS } from '../../../src/vocabulary/limits.ts';
import { laterPart } from '../parts/later-part.tsx';
import type * as Names from '../parts/name-dialog.tsx';
import { SAVED_VIEWS } from '../text/saved-views.ts';

type Props = ComponentProps<typeof Names.NameDialog>;

const NameDialog = laterPart<Props>({
  name: 'name-dialog',
  load: async () => (await import('../parts/name-dialog.tsx')).NameDialog,
  loading: () => null,
});

/** Asks what a view is called. Its script is loaded when it is first asked. */
export function ViewNameDialog(props: Omit<Props, 'label' | 'maxLength'>) {
  return <NameDialog {...props} label={SAVED_VIEWS.name} maxLength={FIXED_LIMITS.view_name_characters} />;
}
