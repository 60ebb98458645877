import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Category } from '#client';
import { type ClaimedCategory, categoriesChanged, providerCategories } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import { Icon } from '../../parts/icon.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Problem } from '../../parts/problem.tsx';
import { CATEGORIES, CLAIMS } from '../../text/categories.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './categories.module.css';
import { takenBy } from './claims.ts';
import { CodeList } from './code-list.tsx';

interface ClaimsDialogProps {
  readonly category: Category;
  readonly all: readonly Category[];
  readonly onClaimed: (claimed: ClaimedCategory) => void;
  readonly onClose: () => void;
}

/** Which codes a category claims, and what each choice takes from others. */
export function ClaimsDialog({ category, all, onClaimed, onClose }: ClaimsDialogProps) {
  const queries = useQueryClient();
  const { data: codes, error, refetch } = useQuery(providerCategories);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(category.sources));
  const claim = useMutation({
    mutationFn: () => api.categories.claimSources({ id: category.id, sources: [...chosen] }),
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
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button loading={claim.isPending} onClick={() => claim.mutate()}>
          {CLAIMS.save}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
