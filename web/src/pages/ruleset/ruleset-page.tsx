import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Ruleset } from '#client';
import { useMay } from '../../api/me.ts';
import { ruleset } from '../../api/rulesets.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RULESET, RULESETS } from '../../text/rules.ts';
import { RulesetMenu } from '../rulesets/ruleset-menu.tsx';
import { useRulesetActions } from '../rulesets/use-ruleset-actions.tsx';
import { AddRuleButton } from './add-rule-button.tsx';
import { PreviewCard } from './preview-card.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { RuleList } from './rule-list.tsx';
import classes from './ruleset.module.css';
import { SyncsCard } from './syncs-card.tsx';

const route = getRouteApi(PATHS.ruleset);
const NEW_RULE = 'new';
const EXPECTED = 4;

export function RulesetPage() {
  const { id } = route.useParams();
  const { rule } = route.useSearch();
  const mayChange = useMay('rules:write');
  const { data, error, refetch } = useQuery(ruleset(id));
  if (data === undefined) {
    return (
      <>
        <Back to={PATHS.rulesets}>{RULESETS.title}</Back>
        <Page title={RULESETS.title} actionsToCome={error === null}>
          {error === null ? (
            <div className={classes.box}>
              <LoadingRows count={EXPECTED} />
            </div>
          ) : (
            <Problem error={error} again={refetch} />
          )}
        </Page>
      </>
    );
  }
  const edited = data.rules?.find((one) => one.id === rule) ?? null;
  if (mayChange && (edited !== null || rule === NEW_RULE)) {
    return <RuleEditor key={rule} ruleset={data} rule={edited} />;
  }
  return <RulesetOverview ruleset={data} />;
}

/** A ruleset: its rules, what they do to real rows, and which syncs use them. */
function RulesetOverview({ ruleset }: { readonly ruleset: Ruleset }) {
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
