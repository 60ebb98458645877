import type { ReactNode } from 'react';
import { LinkButton } from '../../parts/buttons.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RULESET } from '../../text/rules.ts';

interface AddRuleButtonProps {
  readonly ruleset: string;
  readonly icon?: ReactNode;
}

/** Leads to the builder of a new rule. */
export function AddRuleButton({ ruleset: id, icon = null }: AddRuleButtonProps) {
  return (
    <LinkButton leftSection={icon} to={PATHS.ruleset} params={{ id }} search={{ rule: 'new' }}>
      {RULESET.add}
    </LinkButton>
  );
}
