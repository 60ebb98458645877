import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { codeLabel } from '../../../src/vocabulary/provider-categories.ts';
import { categories } from '../api/categories.ts';
import type { Days } from '../api/held-rows.ts';
import { readDecimal, typedDecimal } from '../format/typed-decimals.ts';
import { DayInput } from '../parts/day-input.tsx';
import { Icon } from '../parts/icon.tsx';
import { TRANSACTIONS } from '../text/transactions.ts';
import { categoryOptions } from './category-options.ts';
import { accountOptions } from './chosen-accounts.tsx';
import { bankCodeOf, NO_CATEGORY, narrows, UNCATEGORISED } from './matching.ts';
import { SaveView } from './save-view.tsx';
import { MOST_SOUGHT, TRANSACTION_KINDS, TRANSACTION_SORTS, type TransactionsSearch } from './search.ts';
import classes from './transactions.module.css';

interface SearchInputProps {
  readonly className: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field. It follows the address when that changes from outside. */
function SearchInput({ className, label, value, onChange }: SearchInputProps) {
  const { text, type, leave } = useDraft(value, onChange);
  return (
    <TextInput
      className={className}
      type="search"
      label={label}
      leftSection={<Icon name="search" size={16} />}
      maxLength={MOST_SOUGHT}
      value={text ?? value}
      onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.value)}
      onBlur={leave}
    />
  );
}

interface FiltersProps {
  readonly accounts: readonly Account[];
  readonly days: Days;
  readonly search: TransactionsSearch;
  readonly today: string;
}

const route = getRouteApi(APP_PATHS.transactions);
const ALL = 'all';
const NEWEST = 'newest';

/** Which transactions are shown. What is chosen is in the address, so that it can be saved and shared. */
export function Filters({ accounts, days, search, today }: FiltersProps) {
  const navigate = route.useNavigate();
  const { data: tree = [] } = useQuery(categories);
  const code = bankCodeOf(search.category);
  // The text fields hold what is being typed, also where no amount can be read; clearing them makes new ones.
  const [round, setRound] = useState(0);
  // Where there is room all are shown; a phone shows them when asked.
  const [open, setOpen] = useState(false);
  // Of days up to today, the one that is not being changed stays where it is.
  const withDays = ({ days: back, ...kept }: TransactionsSearch, name: keyof TransactionsSearch) => {
    if (back === undefined) return kept;
    return name === 'to' ? { ...kept, from: days.from } : name === 'from' ? kept : { ...kept, days: back };
  };
  const choose = (name: keyof TransactionsSearch, value: string) =>
    navigate({
      search: (before) => {
        const { [name]: _, ...kept } = before;
        const others = withDays(kept, name);
        return value === '' || value === ALL || value === NEWEST ? others : { ...others, [name]: value };
      },
      replace: true,
      resetScroll: false,
    });
  const clear = () => {
    setRound(round + 1);
    return navigate({
      search: ({ q: _q, kind: _k, category: _c, least: _l, most: _m, view: _v, ...others }) => others,
      replace: true,
    });
  };
  return (
    <search className={classes.filters} aria-label={TRANSACTIONS.filters}>
      <NativeSelect
        className={classes.account ?? ''}
        label={TRANSACTIONS.account}
        value={search.account ?? ''}
        data={accountOptions(accounts, search.account)}
        onChange={({ currentTarget }) => choose('account', currentTarget.value)}
      />
      <DayInput
        label={TRANSACTIONS.from}
        value={days.from}
        max={days.to}
        onChange={(day) => choose('from', day)}
      />
      <DayInput
        label={TRANSACTIONS.to}
        value={days.to}
        min={days.from}
        max={today}
        onChange={(day) => choose('to', day)}
      />
      <SearchInput
        key={`search ${round}`}
        className={classes.search ?? ''}
        label={TRANSACTIONS.search}
        value={search.q ?? ''}
        onChange={(value) => choose('q', value)}
      />
      <Button
        className={classes.moreFilters ?? ''}
        variant="default"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? TRANSACTIONS.fewerFilters : TRANSACTIONS.moreFilters}
      </Button>
      <div className={open ? classes.narrow : `${classes.narrow} ${classes.closed}`}>
        <NativeSelect
          label={TRANSACTIONS.kind}
          value={search.kind ?? ALL}
          data={[ALL, ...TRANSACTION_KINDS].map((value) => ({
            value,
            label: TRANSACTIONS.kinds[TRANSACTION_KINDS.find((one) => one === value) ?? ALL],
          }))}
          onChange={({ currentTarget }) => choose('kind', currentTarget.value)}
        />
        <NativeSelect
          label={TRANSACTIONS.category}
          value={search.category ?? ALL}
          data={[
            { value: ALL, label: TRANSACTIONS.everyCategory },
            { value: NO_CATEGORY, label: TRANSACTIONS.noCategory },
            ...(search.category === UNCATEGORISED
              ? [{ value: UNCATEGORISED, label: TRANSACTIONS.uncategorised }]
              : []),
            ...(code === null ? [] : [{ value: code, label: TRANSACTIONS.ofBank(codeLabel(code)) }]),
            ...categoryOptions(tree, TRANSACTIONS.wholeGroup),
          ]}
          onChange={({ currentTarget }) => choose('category', currentTarget.value)}
        />
        <SizeInput
          key={`least ${round}`}
          label={TRANSACTIONS.least}
          value={search.least ?? ''}
          onChange={(value) => choose('least', value)}
        />
        <SizeInput
          key={`most ${round}`}
          label={TRANSACTIONS.most}
          value={search.most ?? ''}
          onChange={(value) => choose('most', value)}
        />
        <NativeSelect
          label={TRANSACTIONS.sort}
          value={search.sort ?? NEWEST}
          data={[NEWEST, ...TRANSACTION_SORTS].map((value) => ({
            value,
            label: TRANSACTIONS.sorts[TRANSACTION_SORTS.find((one) => one === value) ?? NEWEST],
          }))}
          onChange={({ currentTarget }) => choose('sort', currentTarget.value)}
        />
      </div>
      <div className={classes.actions}>
        {narrows(search) ? (
          <Button size="xs" variant="default" onClick={clear}>
            {TRANSACTIONS.clear}
          </Button>
        ) : null}
        <SaveView search={search} days={days} today={today} />
      </div>
    </search>
  );
}

interface SizeInputProps {
  readonly label: string;
  readonly value: string;
  /** Called with a decimal, or with nothing where the field was cleared. */
  readonly onChange: (value: string) => void;
}

const MOST_DIGITS = 24;

/** An amount to compare with, in the person's own notation. An unreadable one changes nothing and is marked. */
function SizeInput({ label, value, onChange }: SizeInputProps) {
  const { text, type, leave } = useDraft(value, onChange);
  const isRead = text === null || text.trim() === '' || readDecimal(text) !== null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      maxLength={MOST_DIGITS}
      placeholder={typedDecimal('0.00')}
      value={text ?? (value === '' ? '' : typedDecimal(value))}
      error={isRead ? undefined : TRANSACTIONS.noAmount(typedDecimal('1250.50'))}
      onChange={({ currentTarget: { value: typed } }) =>
        type(typed, typed.trim() === '' ? '' : readDecimal(typed))
      }
      onBlur={leave}
    />
  );
}

interface Draft {
  /** The value as this field last knew it. */
  readonly seen: string;
  /** The values that the field has reported but not yet received back, oldest first. */
  readonly said: readonly string[];
  /** What is being typed; null if the field shows the value. */
  readonly text: string | null;
}

/**
 * What is being typed in a field whose value is in the address. The address follows later, and often skips steps, so
 * values that the field itself reported leave the text alone; any other value came from outside and replaces it.
 */
function useDraft(value: string, onChange: (value: string) => void) {
  const [draft, setDraft] = useState<Draft>({ seen: value, said: [], text: null });
  if (draft.seen !== value) {
    const at = draft.said.indexOf(value);
    setDraft({ seen: value, said: draft.said.slice(at + 1), text: at < 0 ? null : draft.text });
  }
  return {
    text: draft.text,
    /** Keeps what was typed, and reports its value if it has one. */
    type: (text: string, said: string | null) => {
      setDraft({ ...draft, text, said: said === null ? draft.said : [...draft.said, said] });
      if (said !== null) onChange(said);
    },
    /** The field was left: the next change comes from outside. */
    leave: () => setDraft({ ...draft, said: [] }),
  };
}
