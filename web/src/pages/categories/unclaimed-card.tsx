import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Category, ProviderCategory } from '#client';
import { Card } from '../../parts/card.tsx';
import { CategorySelect } from '../../parts/category-select.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { UNCLAIMED } from '../../text/categories.ts';
import classes from './categories.module.css';
import { holdersOf, withoutCategory } from './claims.ts';

interface UnclaimedCardProps {
  readonly codes: readonly ProviderCategory[];
  readonly all: readonly Category[];
  readonly busy: boolean;
  readonly onClaim: (category: Category, code: string) => void;
}

/** Codes whose transactions show no category, each with a way to give it one. */
export function UnclaimedCard({ codes, all, busy, onClaim }: UnclaimedCardProps) {
  const free = withoutCategory(codes, holdersOf(all));
  return (
    <Card title={UNCLAIMED.title} aside={UNCLAIMED.count(free.length)}>
      <p className={classes.freeText}>{free.length === 0 ? UNCLAIMED.every : UNCLAIMED.text}</p>
      {free.length === 0 ? null : (
        <ul>
          {free.map((code) => (
            <FreeCode key={code.code} code={code} all={all} busy={busy} onClaim={onClaim} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface FreeCodeProps extends Omit<UnclaimedCardProps, 'codes'> {
  readonly code: ProviderCategory;
}

function FreeCode({ code: { code, label }, all, busy, onClaim }: FreeCodeProps) {
  const [chosen, setChosen] = useState('');
  const category = all.find(({ id }) => id === chosen);
  return (
    <li className={classes.free}>
      <span>{label}</span>
      <OwnerOnly scope="categories:write">
        <CategorySelect
          label={UNCLAIMED.claimFor(label)}
          hideLabel
          all={all}
          value={chosen}
          first={{ value: '', label: UNCLAIMED.choose }}
          onChange={setChosen}
        />
        <Button
          variant="default"
          disabled={category === undefined || busy}
          aria-label={UNCLAIMED.claim(label)}
          onClick={() => {
            if (category !== undefined) onClaim(category, code);
          }}
        >
          {UNCLAIMED.action}
        </Button>
      </OwnerOnly>
    </li>
  );
}
