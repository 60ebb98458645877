import { UnstyledButton } from '@mantine/core';
import type { Category } from '#client';
import { useMay } from '../../api/me.ts';
import { CategoryIcon } from '../../parts/category-icon.tsx';
import { Grip } from '../../parts/grip.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CATEGORIES, DRAGGING } from '../../text/categories.ts';
import classes from './categories.module.css';
import type { CategoryActions } from './category-actions.ts';
import { CategoryMenu } from './category-menu.tsx';

interface CategoryRowProps {
  readonly category: Category;
  readonly group: Category;
  readonly labelOf: (code: string) => string;
  readonly actions: CategoryActions;
}

/** A category: what it is called and which codes it claims. */
export function CategoryRow({ category, group, labelOf, actions }: CategoryRowProps) {
  const { id, name, icon, color, sources, archived } = category;
  const lifted = actions.moves.lifted === id;
  const mayChange = useMay('categories:write');
  const words = (
    <>
      <span className={classes.name}>
        {name}
        {archived ? <StatusBadge tone="idle">{CATEGORIES.archived}</StatusBadge> : null}
      </span>
      <span className={classes.sources}>
        {sources.length === 0 ? CATEGORIES.noSources : CATEGORIES.sources(sources.map(labelOf))}
      </span>
    </>
  );
  return (
    <li
      className={lifted ? `${classes.row} ${classes.lifted}` : classes.row}
      data-order-kind="category"
      data-order-id={id}
    >
      <OwnerOnly scope="categories:write">
        <Grip label={DRAGGING.grip(name)} hint={actions.hint} handlers={actions.moves.grip(id)} />
      </OwnerOnly>
      <CategoryIcon icon={icon} color={color} />
      {mayChange ? (
        <UnstyledButton
          className={classes.words ?? ''}
          onClick={() => actions.ask({ about: 'claims', category })}
        >
          {words}
        </UnstyledButton>
      ) : (
        <div className={classes.only}>{words}</div>
      )}
      <OwnerOnly scope="categories:write">
        <CategoryMenu category={category} group={group} actions={actions} />
      </OwnerOnly>
    </li>
  );
}
