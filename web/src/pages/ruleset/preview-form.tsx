import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '#client';
import { dayIn } from '../../format/moments.ts';
import { numberText } from '../../format/numbers.ts';
import { Check } from '../../parts/fields.tsx';
import { PREVIEW } from '../../text/rules.ts';
import classes from './ruleset.module.css';

/** The rows to try rules on. */
export interface PreviewWindow {
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

export function PreviewForm({ accounts, timeZone, busy, isRepeated, onRun }: PreviewFormProps) {
  const [window, setWindow] = useState<PreviewWindow>({
    account: accounts[0]?.id ?? '',
    from: dayIn(timeZone, -DAYS_BACK),
    to: dayIn(timeZone),
    include_pending: true,
    limit: LIMITS[0] ?? 0,
  });
  const change = (changed: Partial<PreviewWindow>) => setWindow((before) => ({ ...before, ...changed }));
  return (
    <div className={classes.previewForm}>
      <NativeSelect
        label={PREVIEW.account}
        value={window.account}
        data={accounts.map(({ id, name, institution }) => ({
          value: id,
          label: `${name} · ${institution.name}`,
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
