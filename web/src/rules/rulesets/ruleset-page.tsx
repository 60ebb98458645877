import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Ruleset, Sync } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { ruleset, rulesets } from '../../api/rulesets.ts';
import { syncs } from '../../api/syncs.ts';
import { agoText } from '../../format/moments.ts';
import { Card } from '../../parts/card.tsx';
import { Check } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { RULESET, RULESETS } from '../../text/rules.ts';
import { PreviewCard } from './preview-card.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { AddRuleButton, RuleList } from './rule-list.tsx';
import classes from './ruleset.module.css';
import { RulesetMenu, useRulesetActions } from './ruleset-actions.tsx';

const route = getRouteApi(APP_PATHS.ruleset);
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
        <Back to={APP_PATHS.rulesets}>{RULESETS.title}</Back>
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
  const actions = useRulesetActions(ruleset, (isHere) => {
    if (isHere()) navigate({ to: APP_PATHS.rulesets });
  });
  const rules = ruleset.rules ?? [];
  return (
    <>
      <Back to={APP_PATHS.rulesets}>{RULESETS.title}</Back>
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

/** Which syncs use the ruleset. A sync has one at most, so another one is replaced, which is said beforehand. */
function SyncsCard({ ruleset }: { readonly ruleset: string }) {
  const queries = useQueryClient();
  const mayAttach = useMay('syncs:write');
  const { data, error, refetch } = useQuery(syncs);
  const { data: known } = useQuery(rulesets);
  const attach = useMutation({
    mutationFn: ({ sync, used }: { readonly sync: Sync; readonly used: boolean }) =>
      api.syncs.attachRulesets({ id: sync.id, rulesets: used ? [ruleset] : [] }),
    onSettled: () =>
      Promise.all(
        [syncs, rulesets].map(({ queryKey }) => queries.invalidateQueries({ queryKey: [...queryKey] })),
      ),
  });
  const rulesOnly = data?.filter(({ type }) => type === 'transactions');
  const hintOf = (sync: Sync): string => {
    const [other] = sync.rulesets.filter((id) => id !== ruleset);
    if (other === undefined) return latestText(sync);
    return RULESET.replaces(known?.find(({ id }) => id === other)?.name ?? other);
  };
  return (
    <Card title={RULESET.syncs} aside={RULESET.syncsAside}>
      <div className={classes.syncs}>
        {attach.error === null || attach.variables === undefined ? null : (
          <Problem error={attach.error} title={RULESET.failed.attach(attach.variables.sync.name)} />
        )}
        {rulesOnly === undefined ? (
          error === null ? (
            <LoadingRows count={2} />
          ) : (
            <Problem error={error} again={refetch} />
          )
        ) : rulesOnly.length === 0 ? (
          <p className={classes.note}>{RULESET.noSyncs}</p>
        ) : (
          <>
            <p className={classes.note}>{RULESET.nextRun}</p>
            {rulesOnly.map((sync) => {
              const pending = attach.isPending && attach.variables.sync.id === sync.id;
              return (
                <Check
                  key={sync.id}
                  label={sync.name}
                  hint={hintOf(sync)}
                  checked={pending ? attach.variables.used : sync.rulesets.includes(ruleset)}
                  disabled={attach.isPending || !mayAttach}
                  onChange={(used) => attach.mutate({ sync, used })}
                />
              );
            })}
          </>
        )}
      </div>
    </Card>
  );
}

function latestText({ latest_run: run }: Sync): string {
  if (run === null) return RULESET.noRun;
  const { processed, skipped_by_rules: skipped } = run.counts;
  return RULESET.latest(processed, skipped, agoText(run.created));
}
