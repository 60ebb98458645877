import { Link } from '@tanstack/react-router';
import type { Ruleset } from '#client';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RULESETS } from '../../text/rules.ts';
import { RulesetMenu } from './ruleset-menu.tsx';
import classes from './rulesets.module.css';
import { useRulesetActions } from './use-ruleset-actions.tsx';

interface RulesetRowProps {
  readonly ruleset: Ruleset;
  /** The names of the syncs that use it; null while they are not known. */
  readonly usedBy: readonly string[] | null;
  readonly onDeleted: () => void;
}

export function RulesetRow({ ruleset, usedBy, onDeleted }: RulesetRowProps) {
  const actions = useRulesetActions(ruleset, onDeleted);
  const { id, name, description, enabled, rule_count: count } = ruleset;
  const use = usedBy === null ? null : usedBy.length === 0 ? RULESETS.unused : RULESETS.usedBy(usedBy);
  return (
    <li>
      {actions.outcome === null ? null : <div className={classes.outcome}>{actions.outcome}</div>}
      <div className={rows.row}>
        <div className={rows.words}>
          <p className={rows.name}>
            <Link to={PATHS.ruleset} params={{ id }} className={rows.link}>
              {name}
            </Link>
            {enabled ? null : <StatusBadge tone="idle">{RULESETS.off}</StatusBadge>}
          </p>
          {description === null ? null : <p className={rows.detail}>{description}</p>}
          <p className={rows.detail}>{[RULESETS.count(count), use].filter(Boolean).join(' · ')}</p>
        </div>
        <OwnerOnly scope="rules:write">
          <RulesetMenu ruleset={ruleset} actions={actions} />
        </OwnerOnly>
      </div>
      {actions.dialog}
    </li>
  );
}
