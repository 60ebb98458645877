import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import type { ClaimedCategory } from '../api/categories.ts';
import { DialogActions } from '../parts/dialog.tsx';
import { Check, Fields } from '../parts/fields.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { PROBLEMS } from '../text/problems.ts';
import { categoryOptions, claimsOf, codeLabel } from './category-options.ts';
import { Done } from './done.tsx';
import { type LikeThis, likenessesOf, textOf } from './like-this.ts';
import { LikeThisFields, Samples } from './like-this-fields.tsx';
import { recategorised } from './recategorised.ts';
import { ChangeProblem, RuleOutcome } from './rule-outcome.tsx';
import { type RulesetChoice, RulesetFields } from './ruleset-fields.tsx';
import classes from './transactions.module.css';
import { useCategoryChange } from './use-category-change.ts';

interface ChangeCategoryProps {
  readonly row: Transaction;
  readonly rows: readonly Transaction[];
  readonly account: Account | undefined;
  readonly categories: readonly Category[];
  readonly onClose: () => void;
}

/**
 * Two ways to change a category permanently: what the bank's own category means, which shows here at once, and a rule,
 * which changes what destinations get.
 */
export function ChangeCategory({ row, rows, account, categories, onClose }: ChangeCategoryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState('');
  const [way, setWay] = useState<'claim' | 'rule'>(row.provider_category === null ? 'rule' : 'claim');
  const [like, setLike] = useState<LikeThis>(() => firstLike(row));
  const [into, setInto] = useState<RulesetChoice>({ ruleset: null, name: CATEGORY_CHANGE.defaultRuleset });
  const { claim, rule } = useCategoryChange();
  useEffect(() => heading.current?.focus(), []);

  const code = row.provider_category;
  const category = categories.find(({ id }) => id === chosen);
  const options = categoryOptions(categories);
  const claimed = code !== null && category?.sources.includes(code) === true;
  const ready =
    category !== undefined &&
    (way === 'claim' ? code !== null && !claimed : like.text.trim() !== '' && into.name.trim() !== '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    if (way === 'rule') rule.mutate({ category, like, into });
    else if (code !== null) claim.mutate({ category, code });
  };

  if (claim.data !== undefined) {
    return <ClaimOutcome category={claim.data} code={code ?? ''} onClose={onClose} />;
  }
  if (rule.data !== undefined) return <RuleOutcome made={rule.data} onClose={onClose} />;
  return (
    <form className={classes.part} onSubmit={submit}>
      <h3 ref={heading} tabIndex={-1}>
        {CATEGORY_CHANGE.title}
      </h3>
      {options.length === 0 ? (
        <p>{CATEGORY_CHANGE.noCategories}</p>
      ) : (
        <NativeSelect
          label={CATEGORY_CHANGE.category}
          value={chosen}
          data={[{ value: '', label: CATEGORY_CHANGE.choose }, ...options]}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      <Fields legend={CATEGORY_CHANGE.how}>
        <Check
          group="way"
          label={CATEGORY_CHANGE.claim}
          hint={code === null ? CATEGORY_CHANGE.claimless : CATEGORY_CHANGE.claimHint(codeLabel(code))}
          checked={way === 'claim'}
          disabled={code === null}
          onChange={() => setWay('claim')}
        />
        <Check
          group="way"
          label={CATEGORY_CHANGE.rule}
          hint={CATEGORY_CHANGE.ruleHint}
          checked={way === 'rule'}
          onChange={() => setWay('rule')}
        />
      </Fields>
      {way === 'rule' ? (
        <>
          <LikeThisFields
            like={like}
            row={row}
            rows={rows}
            likenesses={likenessesOf(row)}
            account={account}
            onChange={setLike}
          />
          <RulesetFields choice={into} onChange={setInto} />
        </>
      ) : code === null || category === undefined ? null : (
        <ClaimEffect code={code} category={category} categories={categories} rows={rows} />
      )}
      <ChangeProblem error={way === 'claim' ? claim.error : rule.error} title={CATEGORY_CHANGE.failed[way]} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button type="submit" disabled={!ready} loading={claim.isPending || rule.isPending}>
          {CATEGORY_CHANGE.save[way]}
        </Button>
      </DialogActions>
    </form>
  );
}

function firstLike(row: Transaction): LikeThis {
  const [likeness = 'equals'] = likenessesOf(row);
  return { likeness, text: textOf(row, likeness), account: null, direction: null };
}

interface ClaimOutcomeProps {
  readonly category: ClaimedCategory;
  readonly code: string;
  readonly onClose: () => void;
}

/** What a claim has changed. */
function ClaimOutcome({ category, code, onClose }: ClaimOutcomeProps) {
  return (
    <>
      <Done
        title={CATEGORY_CHANGE.claimDone}
        text={CATEGORY_CHANGE.claimDoneText(codeLabel(code), category.name)}
      />
      <DialogActions>
        <Button onClick={onClose}>{PROBLEMS.close}</Button>
      </DialogActions>
    </>
  );
}

interface ClaimEffectProps {
  readonly code: string;
  readonly category: Category;
  readonly categories: readonly Category[];
  readonly rows: readonly Transaction[];
}

/** What a claim will change of what is on the page, before it is made. */
function ClaimEffect({ code, category, categories, rows }: ClaimEffectProps) {
  const holder = categories.find(({ sources }) => sources.includes(code));
  if (holder?.id === category.id) return <p className={classes.note}>{CATEGORY_CHANGE.claimed}</p>;
  const claims = new Map(claimsOf(categories)).set(code, category.id);
  const moved = rows.filter((row) => recategorised(row, code, claims) !== row);
  return (
    <div className={classes.preview} role="status">
      <p>{CATEGORY_CHANGE.claimEffect(moved.length, rows.length)}</p>
      <Samples rows={moved} />
      {holder === undefined ? null : (
        <p className={classes.note}>{CATEGORY_CHANGE.claimTakes(holder.name)}</p>
      )}
    </div>
  );
}
