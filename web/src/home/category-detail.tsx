import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { codeLabel, primaryCategoryOf } from '../../../src/vocabulary/provider-categories.ts';
import type { Movement } from '../accounts/net-position.ts';
import type { SpendingRules } from '../accounts/spending-rules.ts';
import { lastDayOf } from '../format/days.ts';
import { moneyText } from '../format/money.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Icon } from '../parts/icon.tsx';
import classes from '../parts/insights.module.css';
import { ShareList } from '../parts/share-list.tsx';
import { INSIGHTS } from '../text/insights.ts';
import { categorySpending } from './spending.ts';

const { spending } = INSIGHTS;
const MOST_MERCHANTS = 8;

interface CategoryDetailProps {
  readonly category: string | null;
  readonly name: string;
  readonly month: string;
  readonly currency: string;
  /** In that currency. */
  readonly movements: readonly Movement[];
  readonly rules: SpendingRules;
  readonly onBack: () => void;
}

/** What the spending of a category in a month is made of; kinds lead to their transactions, merchants to their pages. */
export function CategoryDetail(props: CategoryDetailProps) {
  const { category, name, month, currency, movements, rules, onBack } = props;
  const back = useRef<HTMLButtonElement>(null);
  // The button that opened this is gone.
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  const { total, kinds, merchants } = categorySpending(movements, { month, category }, rules);
  const text = (value: bigint) => moneyText(value, currency);
  const days = { from: `${month}-01`, to: lastDayOf(month) };
  // The rows of the sum and no others: with refunds, and without what a loan was paid, for one.
  const kind = 'spending' as const;
  const within = { ...days, category: category ?? UNCATEGORISED, kind };
  // An address names one category: in one of the person's own, the kinds of the bank cannot be told apart.
  const isOfBank = category !== null && primaryCategoryOf(category) !== null;
  return (
    <div>
      <div className={classes.detailHead}>
        <Button
          ref={back}
          size="xs"
          variant="default"
          leftSection={<Icon name="back" size={14} />}
          onClick={onBack}
        >
          {spending.back}
        </Button>
        <p className={classes.detailName}>
          <span>{name}</span>
          <span>{text(total)}</span>
        </p>
      </div>
      {kinds.length < 2 ? null : (
        <>
          <h3 className={classes.detailTitle}>{spending.kindsTitle}</h3>
          <ShareList
            label={spending.kinds(name)}
            shares={kinds.map(([code, value]) => ({
              key: code ?? UNCATEGORISED,
              name: code === null ? spending.otherKind : codeLabel(code),
              value,
            }))}
            text={text}
            whole={total}
            open={({ key, name: label }, className) =>
              isOfBank ? (
                <Link
                  to={APP_PATHS.transactions}
                  search={{ ...days, category: key, kind }}
                  className={className}
                >
                  {label}
                </Link>
              ) : null
            }
          />
        </>
      )}
      <h3 className={classes.detailTitle}>{spending.merchantsTitle}</h3>
      <ShareList
        label={spending.merchants(name)}
        shares={merchants.slice(0, MOST_MERCHANTS).map(({ key, name: merchant, amount: value }) => ({
          key,
          name: merchant === '' ? spending.noMerchant : merchant,
          value,
        }))}
        text={text}
        whole={total}
        open={({ key, name: merchant }, className) =>
          key === '' ? null : (
            <Link to={APP_PATHS.merchant} params={{ merchant: key }} className={className}>
              {merchant}
            </Link>
          )
        }
      />
      <div className={classes.detailEnd}>
        <LinkButton to={APP_PATHS.transactions} search={within} size="xs" variant="default">
          {spending.rows}
        </LinkButton>
        {merchants.length <= MOST_MERCHANTS ? null : (
          <span className={classes.aside}>{spending.more(merchants.length - MOST_MERCHANTS)}</span>
        )}
      </div>
    </div>
  );
}

/** In the address of the transactions, rows that are in no category, of the bank neither. */
const UNCATEGORISED = 'uncategorised';
