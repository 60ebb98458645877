import { Button, NativeSelect } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Account, Category, Transaction } from '#client';
import { CancelButton, DialogActions } from '../parts/dialog.tsx';
import { Check, Fields } from '../parts/fields.tsx';
import { CATEGORY_CHANGE } from '../text/category-change.ts';
import { categoryOptions, claimsOf, codeLabels } from './category-options.ts';
import { examplesOf, type LikeThis, likenessesOf, nameOf, textOf } from './like-this.ts';
import { LikeThisFields, Samples } from './like-this-fields.tsx';
import { recategorised } from './recategorised.ts';
import { ChangeProblem, RuleOutcome } from './rule-outcome.tsx';
import { type RulesetChoice, RulesetFields } from './ruleset-fields.tsx';
import classes from './transactions.module.css';
import { useCategoryChange } from './use-category-change.ts';

/** A rule to begin with: transactions like the row get the category. */
export interface RuleStart {
  readonly row: Transaction;
  readonly category: Category;
}

interface ChangeCategoryProps {
  /** What is to change: at least one. */
  readonly chosen: readonly Transaction[];
  readonly rows: readonly Transaction[];
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly start?: RuleStart;
  /** Asks for the rule that was offered after a change. */
  readonly onRule: (start: RuleStart) => void;
  /** By default, closes. */
  readonly onChanged?: () => void;
  readonly onClose: () => void;
}

/**
 * Three ways to change categories: for the chosen transactions alone, by what the bank's own categories mean, which both
 * show here at once, and by a rule, which changes what destinations get.
 */
export function ChangeCategory(props: ChangeCategoryProps) {
  const { chosen, rows, accounts, categories, start, onRule, onClose, onChanged = onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  const examples = examplesOf(chosen);
  const [example, setExample] = useState(start?.row ?? examples[0]);
  const counts = codeCounts(chosen);
  const [picked, setPicked] = useState(start?.category.id ?? '');
  const posted = chosen.filter(({ status }) => status === 'posted');
  const [way, setWay] = useState<Way>(
    start !== undefined ? 'rule' : posted.length > 0 ? 'these' : counts.size > 0 ? 'claim' : 'rule',
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [like, setLike] = useState<LikeThis | null>(example === undefined ? null : firstLike(example));
  const [into, setInto] = useState<RulesetChoice>({ ruleset: null, name: CATEGORY_CHANGE.defaultRuleset });
  const { these, claim, rule } = useCategoryChange();
  useEffect(() => heading.current?.focus(), []);
  if (example === undefined || like === null) return null;

  const category = categories.find(({ id }) => id === picked);
  const byBank = way === 'these' && picked === BY_BANK;
  const options = categoryOptions(categories);
  const codes = [...counts.keys()].filter((code) => !left.has(code));
  const added = codes.filter((code) => category?.sources.includes(code) !== true);
  const labels = codeLabels([...counts.keys()]);
  const uncoded = chosen.filter((row) => row.provider_category === null).length;
  const isReady = {
    these: () => posted.length > 0,
    claim: () => added.length > 0,
    rule: () => like.text.trim() !== '' && into.name.trim() !== '',
  };
  const ready = byBank || (category !== undefined && isReady[way]());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    if (byBank) return these.mutate({ category: null, rows: posted }, { onSuccess: onChanged });
    if (category === undefined) return;
    if (way === 'rule') return rule.mutate({ category, like, into });
    const next = { row: example, category };
    const also = { label: CATEGORY_CHANGE.always(nameOf(example)), onClick: () => onRule(next) };
    if (way === 'these') return these.mutate({ category, rows: posted, also }, { onSuccess: onChanged });
    claim.mutate({ category, codes: added, also }, { onSuccess: onChanged });
  };

  if (rule.data !== undefined) return <RuleOutcome made={rule.data} onClose={onClose} />;
  return (
    <form className={classes.part} onSubmit={submit}>
      {chosen.length > 1 ? null : (
        <h3 ref={heading} tabIndex={-1}>
          {CATEGORY_CHANGE.title}
        </h3>
      )}
      {options.length === 0 ? (
        <p>{CATEGORY_CHANGE.noCategories}</p>
      ) : (
        <NativeSelect
          label={CATEGORY_CHANGE.category}
          value={picked}
          data={[
            { value: '', label: CATEGORY_CHANGE.choose },
            ...(way === 'these' ? [{ value: BY_BANK, label: CATEGORY_CHANGE.byBank }] : []),
            ...options,
          ]}
          onChange={({ currentTarget }) => setPicked(currentTarget.value)}
        />
      )}
      <Fields legend={CATEGORY_CHANGE.how}>
        <Check
          group="way"
          label={CATEGORY_CHANGE.these(chosen.length)}
          hint={CATEGORY_CHANGE.theseHint}
          checked={way === 'these'}
          disabled={posted.length === 0}
          onChange={() => setWay('these')}
        />
        <Check
          group="way"
          label={CATEGORY_CHANGE[counts.size > 1 ? 'claims' : 'claim']}
          hint={counts.size === 0 ? CATEGORY_CHANGE.claimless : CATEGORY_CHANGE.claimHint(labels)}
          checked={way === 'claim'}
          disabled={counts.size === 0}
          onChange={() => setWay('claim')}
        />
        <Check
          group="way"
          label={CATEGORY_CHANGE[chosen.length > 1 ? 'ruleOfSome' : 'rule']}
          hint={CATEGORY_CHANGE.ruleHint}
          checked={way === 'rule'}
          onChange={() => setWay('rule')}
        />
      </Fields>
      {way === 'these' ? (
        posted.length === chosen.length ? null : (
          <p className={classes.note}>{CATEGORY_CHANGE.pendingLeft(chosen.length - posted.length)}</p>
        )
      ) : way === 'rule' ? (
        <>
          {examples.length < 2 ? null : (
            <NativeSelect
              label={CATEGORY_CHANGE.example}
              value={example.id}
              data={examples.map((one) => ({ value: one.id, label: nameOf(one) }))}
              onChange={({ currentTarget }) => {
                const next = examples.find(({ id }) => id === currentTarget.value) ?? example;
                setExample(next);
                setLike(firstLike(next));
              }}
            />
          )}
          <LikeThisFields
            like={like}
            row={example}
            rows={rows}
            likenesses={likenessesOf(example)}
            account={accounts.find(({ id }) => id === example.account)}
            onChange={setLike}
          />
          <RulesetFields choice={into} onChange={setInto} />
        </>
      ) : (
        <>
          {counts.size < 2 ? null : (
            <Fields legend={CATEGORY_CHANGE.codes}>
              {[...counts].map(([code, count], at) => (
                <Check
                  key={code}
                  label={labels[at] ?? code}
                  hint={CATEGORY_CHANGE.codeCount(count)}
                  checked={!left.has(code)}
                  onChange={() => setLeft(left.symmetricDifference(new Set([code])))}
                />
              ))}
            </Fields>
          )}
          {uncoded === 0 ? null : <p className={classes.note}>{CATEGORY_CHANGE.uncoded(uncoded)}</p>}
          {category === undefined || codes.length === 0 ? null : (
            <ClaimEffect {...props} category={category} codes={added} />
          )}
        </>
      )}
      <ChangeProblem error={{ these, claim, rule }[way].error} title={CATEGORY_CHANGE.failed[way]} />
      <DialogActions>
        <CancelButton onClose={onClose} />
        <Button
          type="submit"
          disabled={!ready}
          loading={these.isPending || claim.isPending || rule.isPending}
        >
          {CATEGORY_CHANGE.save[way]}
        </Button>
      </DialogActions>
    </form>
  );
}

type Way = 'these' | 'claim' | 'rule';
/** The choice of what the bank's category leads to; no id of a category. */
const BY_BANK = 'bank';

function firstLike(row: Transaction): LikeThis {
  const [likeness = 'equals'] = likenessesOf(row);
  return { likeness, text: textOf(row, likeness), account: null, direction: null };
}

/** What the bank calls the rows, the most frequent first. */
function codeCounts(rows: readonly Transaction[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(
    rows.flatMap((row) => row.provider_category ?? []),
    (code) => code,
  );
  return new Map(
    [...groups]
      .map(([code, { length }]) => [code, length] as const)
      .toSorted(([, one], [, other]) => other - one),
  );
}

interface ClaimEffectProps extends Pick<ChangeCategoryProps, 'chosen' | 'categories' | 'rows'> {
  readonly category: Category;
  /** Those that the category does not claim yet. */
  readonly codes: readonly string[];
}

/** What a claim will change of what is on the page, before it is made. */
function ClaimEffect({ codes, category, categories, rows, chosen }: ClaimEffectProps) {
  if (codes.length === 0) return <p className={classes.note}>{CATEGORY_CHANGE.claimed}</p>;
  const before = claimsOf(categories);
  const claims = new Map(before);
  for (const code of codes) claims.set(code, category.id);
  const moved = rows.filter((row) => recategorised(row, codes, claims, before) !== row);
  const meant = new Set(chosen.map(({ id }) => id));
  const others = moved.filter(({ id }) => !meant.has(id));
  const losers = categories
    .map(({ id, name, sources }) => ({
      id,
      name,
      lost: sources.filter((code) => codes.includes(code)).length,
    }))
    .filter(({ lost }) => lost > 0);
  return (
    <div className={classes.preview} role="status">
      <p>{CATEGORY_CHANGE.claimEffect(moved.length, rows.length)}</p>
      {chosen.length < 2 || others.length === 0 ? null : <p>{CATEGORY_CHANGE.claimOthers(others.length)}</p>}
      <Samples rows={chosen.length < 2 ? moved : others} />
      {losers.map(({ id, name, lost }) => (
        <p key={id} className={classes.note}>
          {CATEGORY_CHANGE.claimTakes(name, lost)}
        </p>
      ))}
    </div>
  );
}
