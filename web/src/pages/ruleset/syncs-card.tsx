import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Sync } from '#client';
import { api } from '../../api/client.ts';
import { useMay } from '../../api/me.ts';
import { rulesets } from '../../api/rulesets.ts';
import { syncs } from '../../api/syncs.ts';
import { agoText } from '../../format/moments.ts';
import { Card } from '../../parts/card.tsx';
import { Check } from '../../parts/fields.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { RULESET } from '../../text/rules.ts';
import classes from './ruleset.module.css';

/** Which syncs use the ruleset. A sync has one at most, so another one is replaced, which is said beforehand. */
export function SyncsCard({ ruleset }: { readonly ruleset: string }) {
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
