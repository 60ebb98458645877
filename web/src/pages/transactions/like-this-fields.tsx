import { NativeSelect, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { Account, Transaction } from '#client';
import { Check, Fields } from '../../parts/fields.tsx';
import { CATEGORY_CHANGE } from '../../text/category-change.ts';
import { type Likeness, type LikeThis, likeTest, MOST_TEXT, textOf } from './like-this.ts';
import { Samples } from './samples.tsx';
import classes from './transaction-dialog.module.css';

interface LikeThisFieldsProps {
  readonly like: LikeThis;
  readonly row: Transaction;
  readonly rows: readonly Transaction[];
  readonly likenesses: readonly Likeness[];
  readonly account: Account | undefined;
  readonly onChange: (like: LikeThis) => void;
}

/** Which transactions count as alike, with those among what has been read. */
export function LikeThisFields({ like, row, rows, likenesses, account, onChange }: LikeThisFieldsProps) {
  const alike = useMemo(() => (like.text.trim() === '' ? [] : rows.filter(likeTest(like))), [like, rows]);
  const { direction } = row;
  return (
    <>
      <Fields legend={CATEGORY_CHANGE.like}>
        <NativeSelect
          label={CATEGORY_CHANGE.likeness}
          value={like.likeness}
          data={likenesses.map((value) => ({ value, label: CATEGORY_CHANGE.likenesses[value] }))}
          onChange={({ currentTarget }) => {
            const likeness = likenesses.find((one) => one === currentTarget.value);
            if (likeness !== undefined) onChange({ ...like, likeness, text: textOf(row, likeness) });
          }}
        />
        <TextInput
          label={CATEGORY_CHANGE.text}
          value={like.text}
          maxLength={MOST_TEXT}
          error={like.text.trim() === '' ? CATEGORY_CHANGE.emptyText : undefined}
          onChange={({ currentTarget }) => onChange({ ...like, text: currentTarget.value })}
        />
        {account === undefined ? null : (
          <Check
            label={CATEGORY_CHANGE.onlyAccount(account.name)}
            checked={like.account !== null}
            onChange={(checked) => onChange({ ...like, account: checked ? account.id : null })}
          />
        )}
        <Check
          label={CATEGORY_CHANGE.onlyDirection[direction]}
          checked={like.direction !== null}
          onChange={(checked) => onChange({ ...like, direction: checked ? direction : null })}
        />
      </Fields>
      <div className={classes.preview} role="status">
        <p>{CATEGORY_CHANGE.matches(alike.length, rows.length)}</p>
        <Samples rows={alike} />
      </div>
    </>
  );
}
