import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account, RulesetsPreviewInput } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { WITH_TRANSACTIONS } from '../../../../src/vocabulary/provider-kinds.ts';
import { accounts } from '../../api/accounts.ts';
import { api } from '../../api/client.ts';
import { me } from '../../api/me.ts';
import { accountNames } from '../../format/account-names.ts';
import { dayIn } from '../../format/moments.ts';
import { numberText } from '../../format/numbers.ts';
import { Card } from '../../parts/card.tsx';
import { Check } from '../../parts/fields.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { CONNECTIONS } from '../../text/connections.ts';
import { PREVIEW } from '../../text/rules.ts';
import type { RuleBody } from './draft.ts';
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
  const readable = listed.data?.filter(({ category }) => WITH_TRANSACTIONS.includes(category));
  return (
    <Card title={PREVIEW.title} aside={PREVIEW.aside}>
      <div className={classes.form}>
        <p className={classes.hint}>{PREVIEW.intro}</p>
        {error !== null ? (
          <Problem error={error} again={() => Promise.all([listed.refetch(), record.refetch()])} />
        ) : readable === undefined || record.data === undefined ? (
          <LoadingRows count={1} />
        ) : readable.length === 0 ? (
          <p>
            {PREVIEW.noAccount}{' '}
            <OwnerOnly scope="connections:write">
              <Link to={APP_PATHS.newConnection}>{CONNECTIONS.link}</Link>
            </OwnerOnly>
          </p>
        ) : (
          <PreviewForm
            accounts={readable}
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

/** The rows to try rules on. */
interface PreviewWindow {
  readonly account: string;
  readonly from: string;
  readonly to: string;
  readonly include_pending: boolean;
  readonly limit: number;
}

interface PreviewFormProps {
  readonly accounts: readonly Account[];
  readonly timeZone: string;
  readonly busy: boolean;
  readonly isRepeated: boolean;
  readonly onRun: (window: PreviewWindow) => void;
}

const DAYS_BACK = 60;
/** The service allows 500 unless its operator says otherwise, and refuses more in words. */
const LIMITS = [100, 250, 500];

function PreviewForm({ accounts, timeZone, busy, isRepeated, onRun }: PreviewFormProps) {
  const [window, setWindow] = useState<PreviewWindow>({
    account: accounts[0]?.id ?? '',
    from: dayIn(timeZone, -DAYS_BACK),
    to: dayIn(timeZone),
    include_pending: true,
    limit: LIMITS[0] ?? 0,
  });
  const names = accountNames(accounts);
  const change = (changed: Partial<PreviewWindow>) => setWindow((before) => ({ ...before, ...changed }));
  return (
    <div className={classes.previewForm}>
      <NativeSelect
        label={PREVIEW.account}
        value={window.account}
        data={accounts.map(({ id, name, institution }) => ({
          value: id,
          label: `${names.get(id) ?? name} · ${institution.name}`,
        }))}
        onChange={({ currentTarget }) => change({ account: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={PREVIEW.from}
        value={window.from}
        max={window.to}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextInput
        type="date"
        label={PREVIEW.to}
        value={window.to}
        min={window.from}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <NativeSelect
        label={PREVIEW.limit}
        value={window.limit}
        data={LIMITS.map((limit) => ({ value: String(limit), label: numberText(limit) }))}
        onChange={({ currentTarget }) => change({ limit: Number(currentTarget.value) })}
      />
      <Check
        label={PREVIEW.pending}
        checked={window.include_pending}
        onChange={(pending) => change({ include_pending: pending })}
      />
      <Button loading={busy} onClick={() => onRun(window)}>
        {isRepeated ? PREVIEW.again : PREVIEW.run}
      </Button>
    </div>
  );
}
