import { useNavigate } from '@tanstack/react-router';
import type { Ruleset } from '#client';
import { Back } from '../../parts/back.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RULESET, RULESETS } from '../../text/rules.ts';
import { RulesetMenu } from '../rulesets/ruleset-menu.tsx';
import { useRulesetActions } from '../rulesets/use-ruleset-actions.tsx';
import { AddRuleButton } from './add-rule-button.tsx';
import { PreviewCard } from './preview-card.tsx';
import { RuleList } from './rule-list.tsx';
import classes from './ruleset.module.css';
import { SyncsCard } from './syncs-card.tsx';

/** A ruleset: its rules, what they do to real rows, and which syncs use them. */
export function RulesetOverview({ ruleset }: { readonly ruleset: Ruleset }) {
  const navigate = useNavigate();
  const actions = useRulesetActions(ruleset, () => navigate({ to: PATHS.rulesets }));
  const rules = ruleset.rules ?? [];
  return (
    <>
      <Back to={PATHS.rulesets}>{RULESETS.title}</Back>
      <Page
        title={ruleset.name}
        actions={
          <>
            {ruleset.enabled ? null : <StatusBadge tone="idle">{RULESETS.off}</StatusBadge>}
            <OwnerOnly scope="rules:write" otherwise="sentence">
              <AddRuleButton ruleset={ruleset.id} icon={<Icon name="plus" />} />
              <RulesetMenu ruleset={ruleset} actions={actions} />
            </OwnerOnly>
          </>
        }
      >
        {actions.outcome}
        {ruleset.description === null ? null : <p className={classes.intro}>{ruleset.description}</p>}
        {ruleset.enabled ? null : <p className={classes.intro}>{RULESET.offNote}</p>}
        <RuleList ruleset={ruleset.id} rules={rules} />
        {rules.length === 0 ? null : <PreviewCard ruleset={ruleset.id} rules={rules} place={null} />}
        <SyncsCard ruleset={ruleset.id} />
        {actions.dialog}
      </Page>
    </>
  );
}
