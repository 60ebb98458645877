import { NativeSelect, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import type { Account, Transaction } from '#client';
import { dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { Check, Fields } from '../parts/fields.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { type Likeness, type LikeThis, likeTest, MOST_TEXT, textOf } from './like-this.ts';
import classes from './transactions.module.css';

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

const SHOWN = 5;

/** The first of the transactions that a change is about, and how many more there are. */
export function Samples({ rows }: { readonly rows: readonly Transaction[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className={classes.samples}>
      {rows.slice(0, SHOWN).map(({ id, description, date, amount }) => (
        <li key={id}>
          <span>{date === null ? description : `${dayText(date)} · ${description}`}</span>
          <span>{moneyText(BigInt(amount.amount), amount.currency, 'always')}</span>
        </li>
      ))}
      {rows.length > SHOWN ? (
        <li>
          <span>{CATEGORY_CHANGE.andMore(rows.length - SHOWN)}</span>
        </li>
      ) : null}
    </ul>
  );
}
