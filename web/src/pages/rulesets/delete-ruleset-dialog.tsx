import { useQuery } from '@tanstack/react-query';
import type { Ruleset } from '#client';
import { syncs } from '../../api/syncs.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { RULESETS } from '../../text/rules.ts';

interface DeleteRulesetDialogProps {
  readonly ruleset: Ruleset;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** What deleting a ruleset will do, by name, before it is done. */
export function DeleteRulesetDialog({ ruleset, busy, onConfirm, onClose }: DeleteRulesetDialogProps) {
  const { data = [] } = useQuery(syncs);
  const names = data.filter(({ rulesets }) => rulesets.includes(ruleset.id)).map(({ name }) => name);
  const { deleting } = RULESETS;
  return (
    <ConfirmDialog
      title={deleting.title(ruleset.name)}
      action={RULESETS.delete}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{deleting.text(ruleset.rule_count)}</p>
      {names.length === 0 ? null : <p>{deleting.detaches(names)}</p>}
      <p>{deleting.stays}</p>
    </ConfirmDialog>
  );
}
