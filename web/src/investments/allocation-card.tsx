import { useState } from 'react';
import type { Holding } from '#client';
import { Card } from '../parts/card.tsx';
import { Choices } from '../parts/fields.tsx';
import { ALLOCATION } from '../text/investments.ts';
import { ALLOCATIONS, type AllocationBy } from './allocation.ts';
import { AllocationShares } from './allocation-shares.tsx';
import classes from './holdings.module.css';

interface AllocationCardProps {
  readonly holdings: readonly Holding[];
  readonly accountName: (id: string) => string;
}

const MOST = 10;

/** How the value of all holdings shown is spread. */
export function AllocationCard({ holdings, accountName }: AllocationCardProps) {
  const [by, setBy] = useState<AllocationBy>('position');
  const valued = holdings.filter((one) => one.market_value_decimal !== null);
  const values: Readonly<Record<AllocationBy, (holding: Holding) => string | null>> = {
    position: ({ id }) => id,
    type: (one) => one.asset_type,
    account: ({ account }) => account,
    currency: ({ currency }) => currency,
  };
  const choices = ALLOCATIONS.filter((one) => new Set(valued.map(values[one])).size > 1);
  const chosen = choices.includes(by) ? by : 'position';
  if (valued.length < 2) return null;
  return (
    <Card
      title={ALLOCATION.title}
      aside={
        <Choices
          label={ALLOCATION.by}
          choices={choices.map((value) => ({ value, name: ALLOCATION.choices[value] }))}
          chosen={chosen}
          onChoose={setBy}
        />
      }
    >
      <AllocationShares
        holdings={holdings}
        by={chosen}
        accountName={accountName}
        most={MOST}
        noteClass={classes.note ?? ''}
      />
    </Card>
  );
}
