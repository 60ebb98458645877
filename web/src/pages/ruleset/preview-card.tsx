import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RulesetsPreviewInput } from '#client';
import { accounts } from '../../api/accounts.ts';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { Card } from '../../parts/card.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import { PREVIEW } from '../../text/rules.ts';
import type { RuleBody } from './draft.ts';
import { PreviewForm, type PreviewWindow } from './preview-form.tsx';
import { PreviewResult } from './preview-result.tsx';
import classes from './ruleset.module.css';

interface PreviewCardProps {
  readonly ruleset: string;
  /** The rules to try, saved or not. */
  readonly rules: readonly RuleBody[];
  /** Which of them is being edited; null tries the saved ones. */
  readonly place: number | null;
  readonly onError?: (error: unknown) => void;
}

const EXPECTED = 5;

/** Tries rules on the rows an account has now. The service does the matching, as a run would. */
export function PreviewCard({ ruleset, rules, place, onError }: PreviewCardProps) {
  const listed = useQuery(accounts);
  const record = useQuery(me);
  const bodies = rules.map(bodyAlone);
  const key = JSON.stringify(bodies);
  const preview = useMutation({
    mutationFn: ({ request }: { readonly request: Omit<RulesetsPreviewInput, 'id'>; readonly key: string }) =>
      api.rulesets.preview({ id: ruleset, ...request }),
    onSuccess: () => onError?.(null),
    onError: (error) => onError?.(error),
  });
  const run = (window: PreviewWindow) =>
    preview.mutate({ request: place === null ? window : { ...window, rules: bodies }, key });
  const error = listed.error ?? record.error;
  const banking = listed.data?.filter(({ category }) => category === 'banking');
  return (
    <Card title={PREVIEW.title} aside={PREVIEW.aside}>
      <div className={classes.form}>
        <p className={classes.hint}>{PREVIEW.intro}</p>
        {error !== null ? (
          <Problem error={error} again={() => Promise.all([listed.refetch(), record.refetch()])} />
        ) : banking === undefined || record.data === undefined ? (
          <LoadingRows count={1} />
        ) : banking.length === 0 ? (
          <p>
            {PREVIEW.noAccount}{' '}
            <OwnerOnly scope="connections:write">
              <Link to={PATHS.newConnection}>{CONNECTIONS.link}</Link>
            </OwnerOnly>
          </p>
        ) : (
          <PreviewForm
            accounts={banking}
            timeZone={record.data.timezone}
            busy={preview.isPending}
            isRepeated={preview.data !== undefined}
            onRun={run}
          />
        )}
        {preview.error === null ? null : <Problem error={preview.error} title={PREVIEW.failed} />}
      </div>
      {preview.isPending ? <LoadingRows count={EXPECTED} /> : null}
      {preview.data === undefined ? null : (
        <PreviewResult
          key={preview.submittedAt}
          preview={preview.data}
          place={place}
          isStale={preview.variables.key !== key}
        />
      )}
    </Card>
  );
}

/** Without what a saved rule has besides: the service refuses members it does not know. */
function bodyAlone({ name, enabled, conditions, actions, stop }: RuleBody): RuleBody {
  return { name, enabled, conditions, actions, stop };
}
