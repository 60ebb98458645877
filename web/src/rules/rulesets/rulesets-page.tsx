import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Ruleset } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { rulesets } from '../../api/rulesets.ts';
import { syncs } from '../../api/syncs.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import rows from '../../parts/rows.module.css';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { RULESETS } from '../../text/rules.ts';
import { SortingTabs } from '../sorting-tabs.tsx';
import classes from './ruleset.module.css';
import { RulesetDialog, RulesetMenu, useRulesetActions } from './ruleset-actions.tsx';

const EXPECTED = 3;

export function RulesetsPage() {
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const create = (
    <OwnerOnly scope="rules:write" otherwise="sentence">
      <Button leftSection={<Icon name="plus" />} onClick={() => setCreating(true)}>
        {RULESETS.create}
      </Button>
    </OwnerOnly>
  );
  return (
    <Page title={RULESETS.title} actions={create}>
      <SortingTabs />
      <p className={classes.rulesetsIntro}>{RULESETS.intro}</p>
      <RulesetList create={() => setCreating(true)} />
      {creating ? (
        <RulesetDialog
          ruleset={null}
          onSaved={({ id }) => navigate({ to: APP_PATHS.ruleset, params: { id } })}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </Page>
  );
}

function RulesetList({ create }: { readonly create: () => void }) {
  const { data, error, refetch } = useQuery(rulesets);
  const { data: allSyncs } = useQuery(syncs);
  const [deleted, setDeleted] = useState<string | null>(null);
  if (data === undefined) {
    if (error !== null) return <Problem error={error} again={refetch} />;
    return (
      <div className={classes.rulesets}>
        <LoadingRows count={EXPECTED} />
      </div>
    );
  }
  const namesOf = (id: string) =>
    allSyncs?.filter(({ rulesets: attached }) => attached.includes(id)).map(({ name }) => name) ?? null;
  return (
    <>
      {deleted === null ? null : (
        <Notice
          tone="good"
          title={RULESETS.done.deleted(deleted)}
          text={RULESETS.done.deletedText}
          onClose={() => setDeleted(null)}
        />
      )}
      {data.length === 0 ? (
        <Empty
          title={RULESETS.none}
          text={RULESETS.noneText}
          action={
            <OwnerOnly scope="rules:write">
              <Button onClick={create}>{RULESETS.create}</Button>
            </OwnerOnly>
          }
        />
      ) : (
        <ul className={classes.rulesets}>
          {data.map((one) => (
            <RulesetRow
              key={one.id}
              ruleset={one}
              usedBy={namesOf(one.id)}
              onDeleted={() => setDeleted(one.name)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface RulesetRowProps {
  readonly ruleset: Ruleset;
  /** The names of the syncs that use it; null while they are not known. */
  readonly usedBy: readonly string[] | null;
  readonly onDeleted: () => void;
}

function RulesetRow({ ruleset, usedBy, onDeleted }: RulesetRowProps) {
  const actions = useRulesetActions(ruleset, onDeleted);
  const { id, name, description, enabled, rule_count: count } = ruleset;
  const use = usedBy === null ? null : usedBy.length === 0 ? RULESETS.unused : RULESETS.usedBy(usedBy);
  return (
    <li>
      {actions.outcome === null ? null : <div className={classes.outcome}>{actions.outcome}</div>}
      <div className={rows.row}>
        <div className={rows.words}>
          <p className={rows.name}>
            <Link to={APP_PATHS.ruleset} params={{ id }} className={rows.link}>
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
