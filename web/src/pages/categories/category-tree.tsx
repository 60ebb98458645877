import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Category } from '#client';
import { providerCategories } from '../../api/categories.ts';
import { Announcement } from '../../parts/announcement.tsx';
import { Check } from '../../parts/check.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Problem } from '../../parts/problem.tsx';
import { CATEGORIES, DRAGGING } from '../../text/categories.ts';
import classes from './categories.module.css';
import type { Asking } from './category-actions.ts';
import { CategoryDialogs } from './category-dialogs.tsx';
import { GroupCard } from './group-card.tsx';
import { UnclaimedCard } from './unclaimed-card.tsx';
import { useCategoryChanges } from './use-category-changes.ts';
import { useCategoryMoves } from './use-category-moves.ts';

interface CategoryTreeProps {
  readonly all: readonly Category[];
  readonly asking: Asking | null;
  readonly ask: (asking: Asking | null) => void;
}

/** Groups with their categories, to be sorted, changed and given codes. */
export function CategoryTree({ all, asking, ask }: CategoryTreeProps) {
  const hint = useId();
  const { data: codes } = useQuery(providerCategories);
  const [showArchived, setShowArchived] = useState(false);
  const changes = useCategoryChanges(all);
  const moves = useCategoryMoves(all, ({ archived }) => showArchived || !archived);
  const archivedCount = all.filter(({ archived }) => archived).length;
  const labels = new Map(codes?.map(({ code, label }) => [code, label]));
  const actions = { moves, hint, ask, archive: changes.archive };
  return (
    <>
      <p className={classes.intro}>{CATEGORIES.intro}</p>
      <Announcement>{moves.said}</Announcement>
      <VisuallyHidden id={hint}>{DRAGGING.hint}</VisuallyHidden>
      {moves.failure === null ? null : (
        <Problem error={moves.failure.error} title={CATEGORIES.failed.move(moves.failure.category.name)} />
      )}
      {changes.failure === null ? null : (
        <Problem error={changes.failure.error} title={changes.failure.title} />
      )}
      {changes.done === null ? null : (
        <Notice tone="good" {...changes.done} onClose={() => changes.tell(null)} />
      )}
      {archivedCount === 0 ? null : (
        <div className={classes.toggle}>
          <Check
            label={CATEGORIES.showArchived(archivedCount)}
            checked={showArchived}
            onChange={setShowArchived}
          />
        </div>
      )}
      {all.length === 0 ? (
        <Empty
          title={CATEGORIES.none}
          text={CATEGORIES.noneText}
          action={
            <OwnerOnly scope="categories:write">
              <Button onClick={() => ask({ about: 'reset' })}>{CATEGORIES.createDefaults}</Button>
            </OwnerOnly>
          }
        />
      ) : null}
      {moves.order
        .filter(({ group }) => showArchived || !group.archived)
        .map((branch) => (
          <GroupCard
            key={branch.group.id}
            branch={branch}
            showArchived={showArchived}
            labelOf={(code) => labels.get(code) ?? code}
            actions={actions}
          />
        ))}
      {codes === undefined || all.length === 0 ? null : (
        <UnclaimedCard codes={codes} all={all} busy={changes.claiming} onClaim={changes.claim} />
      )}
      <CategoryDialogs
        asking={asking}
        all={all}
        onMove={moves.moveTo}
        tell={changes.tell}
        onClose={() => ask(null)}
      />
    </>
  );
}
