import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, type Sync } from '#client';
import { api } from '../api/client.ts';
import { rulesets } from '../api/rulesets.ts';
import { syncs } from '../api/syncs.ts';
import { DialogActions } from '../parts/dialog.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rowClasses from '../parts/rows.module.css';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { PROBLEMS } from '../text/problems.ts';
import { Done } from './done.tsx';
import classes from './transactions.module.css';
import type { MadeRule } from './use-category-change.ts';

interface RuleOutcomeProps {
  readonly made: MadeRule;
  readonly onClose: () => void;
}

/** A rule does nothing until a sync uses its ruleset. Shows which syncs do, and lets others use it. */
export function RuleOutcome({ made, onClose }: RuleOutcomeProps) {
  const { ruleset } = made;
  const { data, error, refetch } = useQuery(syncs);
  const fitting = data?.filter(({ type }) => type === 'transactions');
  const used = fitting?.some(({ rulesets }) => rulesets.includes(ruleset.id)) === true;
  return (
    <>
      <Done
        title={CATEGORY_CHANGE.ruleDone(ruleset.name)}
        text={used || fitting === undefined ? CATEGORY_CHANGE.ruleDoneText : CATEGORY_CHANGE.ruleUnused}
      />
      <h3>{CATEGORY_CHANGE.syncs}</h3>
      {error !== null ? (
        <Problem error={error} again={refetch} />
      ) : fitting === undefined ? (
        <LoadingRows count={2} />
      ) : fitting.length === 0 ? (
        <p className={classes.note}>{CATEGORY_CHANGE.noSyncs}</p>
      ) : (
        <ul className={`${rowClasses.rows} ${classes.syncs}`}>
          {fitting.map((sync) => (
            <SyncRow key={sync.id} sync={sync} ruleset={ruleset.id} />
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onClick={onClose}>{PROBLEMS.close}</Button>
      </DialogActions>
    </>
  );
}

function SyncRow({ sync, ruleset }: { readonly sync: Sync; readonly ruleset: string }) {
  const queries = useQueryClient();
  const { data: known } = useQuery(rulesets);
  const attach = useMutation({
    mutationFn: () => api.syncs.attachRulesets({ id: sync.id, rulesets: [ruleset] }),
    onSuccess: ({ rulesets: attached }) =>
      queries.setQueryData(syncs.queryKey, (all) =>
        all?.map((one) => (one.id === sync.id ? { ...one, rulesets: attached } : one)),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['syncs'] }),
  });
  const uses = sync.rulesets.includes(ruleset);
  const other = sync.rulesets.find((id) => id !== ruleset);
  const otherName = known?.find(({ id }) => id === other)?.name ?? CATEGORY_CHANGE.another;
  return (
    <li>
      <div className={rowClasses.row}>
        <div className={rowClasses.words}>
          <p className={rowClasses.name}>{sync.name}</p>
          <p className={rowClasses.detail} aria-live="polite">
            {uses
              ? CATEGORY_CHANGE.uses
              : other === undefined
                ? CATEGORY_CHANGE.usesNot
                : CATEGORY_CHANGE.replaces(otherName)}
          </p>
          {sync.options.custom_categories ? null : (
            <p className={rowClasses.detail}>{CATEGORY_CHANGE.sendsNone}</p>
          )}
        </div>
        {uses ? null : (
          <Button
            size="xs"
            variant="default"
            loading={attach.isPending}
            aria-label={CATEGORY_CHANGE.attachTo(sync.name)}
            onClick={() => attach.mutate()}
          >
            {CATEGORY_CHANGE.attach}
          </Button>
        )}
      </div>
      <ChangeProblem error={attach.error} title={CATEGORY_CHANGE.attachFailed} />
    </li>
  );
}

/** Why a change was refused; a reader is also told whom to ask. */
export function ChangeProblem({ error, title }: { readonly error: unknown; readonly title: string }) {
  if (error === null) return null;
  const readOnly = error instanceof ApiError && error.status === 403;
  return (
    <>
      <Problem error={error} title={title} />
      {readOnly ? <p className={classes.note}>{CATEGORY_CHANGE.readOnly}</p> : null}
    </>
  );
}
