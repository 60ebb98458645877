import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Category, ProviderCategory } from '#client';
import { type Claim, categoriesChanged, changeClaims, providerCategories } from '../../api/categories.ts';
import { CancelButton, Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Check } from '../../parts/fields.tsx';
import form from '../../parts/form.module.css';
import { Icon } from '../../parts/icon.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { CATEGORIES, CLAIMS } from '../../text/categories.ts';
import classes from './categories.module.css';
import { familiesOf, holdersOf, matching, takenBy } from './claims.ts';

interface ClaimsDialogProps {
  readonly category: Category;
  readonly all: readonly Category[];
  readonly onClaimed: (claim: Claim) => void;
  readonly onClose: () => void;
}

/** Which codes a category claims, and what each choice takes from others. */
export function ClaimsDialog({ category, all, onClaimed, onClose }: ClaimsDialogProps) {
  const queries = useQueryClient();
  const { data: codes, error, refetch } = useQuery(providerCategories);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(category.sources));
  const [before] = useState(new Set(category.sources));
  const claim = useMutation({
    // Only what was changed here: someone else may have changed other codes since.
    mutationFn: () =>
      changeClaims(category.id, {
        add: [...chosen.difference(before)],
        remove: [...before.difference(chosen)],
      }),
    onSuccess: onClaimed,
    onSettled: () => categoriesChanged(queries),
  });
  const taken = takenBy(category.id, chosen, all);
  const toggle = (code: string) => setChosen((before) => before.symmetricDifference(new Set([code])));
  return (
    <Dialog title={CLAIMS.title(category.name)} onClose={onClose}>
      <div className={form.form}>
        {claim.error === null ? null : (
          <Problem error={claim.error} title={CATEGORIES.failed.claim(category.name)} />
        )}
        <p className={form.hint}>{CLAIMS.intro}</p>
        <TextInput
          type="search"
          label={CLAIMS.search}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        {codes === undefined ? (
          error === null ? (
            <LoadingRows count={6} />
          ) : (
            <Problem error={error} title={CATEGORIES.failed.codes} again={refetch} />
          )
        ) : (
          <CodeList
            codes={codes}
            search={search}
            category={category}
            all={all}
            chosen={chosen}
            onToggle={toggle}
          />
        )}
        <p className={classes.summary} role="status">
          {CLAIMS.chosen(chosen.size)}
          {taken.length === 0
            ? null
            : `. ${CLAIMS.takes(taken.map(({ from, codes: lost }) => CLAIMS.takesFrom(lost.length, from.name)))}`}
        </p>
      </div>
      <DialogActions>
        <CancelButton onClose={onClose} />
        <Button loading={claim.isPending} onClick={() => claim.mutate()}>
          {CLAIMS.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface CodeListProps {
  readonly codes: readonly ProviderCategory[];
  readonly search: string;
  readonly category: Category;
  readonly all: readonly Category[];
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (code: string) => void;
}

/** The codes that match, each below its primary, with the category it is in now. */
function CodeList({ codes, search, category, all, chosen, onToggle }: CodeListProps) {
  const holders = holdersOf(all);
  const families = matching(familiesOf(codes), search);
  const nowIn = ({ code, parent }: ProviderCategory): string => {
    const holder = holders.get(code);
    if (holder !== undefined) return holder.id === category.id ? CLAIMS.here : CLAIMS.heldBy(holder.name);
    const fallback = parent === null ? undefined : holders.get(parent);
    return fallback === undefined ? CLAIMS.free : CLAIMS.follows(fallback.name);
  };
  const shown = families.flatMap(({ primary, members }) => [primary, ...members]);
  if (shown.length === 0) return <p className={classes.noCode}>{CLAIMS.none}</p>;
  return (
    <ul className={classes.codes} aria-label={CLAIMS.codes}>
      {shown.map((code) => (
        <li
          key={code.code}
          className={code.parent === null ? classes.code : `${classes.code} ${classes.child}`}
        >
          <Check
            label={code.label}
            hint={nowIn(code)}
            checked={chosen.has(code.code)}
            onChange={() => onToggle(code.code)}
          />
        </li>
      ))}
    </ul>
  );
}
