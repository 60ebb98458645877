import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../api/me.ts';
import { ruleset } from '../../api/rulesets.ts';
import { Back } from '../../parts/back.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { RULESETS } from '../../text/rules.ts';
import { RuleEditor } from './rule-editor.tsx';
import classes from './ruleset.module.css';
import { RulesetOverview } from './ruleset-overview.tsx';

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
