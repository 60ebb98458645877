import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import type { Category } from '#client';
import { useMay } from '../../api/me.ts';
import { Grip } from '../../parts/grip.tsx';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CATEGORIES, DRAGGING } from '../../text/categories.ts';
import classes from './categories.module.css';
import type { CategoryActions } from './category-actions.ts';
import type { Branch } from './tree.ts';

interface GroupCardProps {
  readonly branch: Branch;
  readonly showArchived: boolean;
  readonly labelOf: (code: string) => string;
  readonly actions: CategoryActions;
}

/** A group with its categories. */
export function GroupCard({ branch, showArchived, labelOf, actions }: GroupCardProps) {
  const { group, members } = branch;
  const heading = useId();
  const shown = members.filter(({ archived }) => showArchived || !archived);
  const lifted = actions.moves.lifted === group.id;
  return (
    <section
      className={lifted ? `${classes.group} ${classes.lifted}` : classes.group}
      aria-labelledby={heading}
      data-order-kind="group"
      data-order-id={group.id}
    >
      <div className={classes.head} data-order-kind="head" data-order-id={group.id}>
        <OwnerOnly scope="categories:write">
          <Grip
            label={DRAGGING.grip(group.name)}
            hint={actions.hint}
            handlers={actions.moves.grip(group.id)}
          />
        </OwnerOnly>
        <CategoryIcon icon={group.icon} color={group.color} />
        <h2 className={classes.title} id={heading}>
          {group.name}
        </h2>
        {group.archived ? <StatusBadge tone="idle">{CATEGORIES.archived}</StatusBadge> : null}
        <span className={classes.count}>{CATEGORIES.count(members.length)}</span>
        <OwnerOnly scope="categories:write">
          <ActionIcon
            className={classes.menu ?? ''}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={CATEGORIES.addTo(group.name)}
            onClick={() => actions.ask({ about: 'category', group })}
          >
            <Icon name="plus" />
          </ActionIcon>
          <CategoryMenu category={group} group={null} actions={actions} />
        </OwnerOnly>
      </div>
      {shown.length === 0 ? (
        <p className={classes.empty} data-order-kind="empty" data-order-id={group.id}>
          {members.length === 0 ? CATEGORIES.emptyGroup : CATEGORIES.onlyArchived}
        </p>
      ) : (
        <ul>
          {shown.map((category) => (
            <CategoryRow
              key={category.id}
              category={category}
              group={group}
              labelOf={labelOf}
              actions={actions}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface CategoryRowProps {
  readonly category: Category;
  readonly group: Category;
  readonly labelOf: (code: string) => string;
  readonly actions: CategoryActions;
}

/** A category: what it is called and which codes it claims. */
function CategoryRow({ category, group, labelOf, actions }: CategoryRowProps) {
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

interface CategoryMenuProps {
  readonly category: Category;
  /** The group it is in; null for a group. */
  readonly group: Category | null;
  readonly actions: CategoryActions;
}

/** Everything that can be done with a category or a group. */
function CategoryMenu({ category, group, actions: { moves, ask, archive } }: CategoryMenuProps) {
  const { actions } = CATEGORIES;
  const question = (about: 'edit' | 'claims' | 'move' | 'delete') => () => ask({ about, category });
  // What is in an archived group is archived with it, and comes back with it.
  const ownArchive = group?.archived !== true;
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          className={classes.menu ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={CATEGORIES.actionsOf(category.name)}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={question('edit')}>{actions.edit}</Menu.Item>
        {group === null ? null : <Menu.Item onClick={question('claims')}>{actions.claims}</Menu.Item>}
        <Menu.Divider />
        <Menu.Item onClick={() => moves.move(category.id, -1)}>{actions.up}</Menu.Item>
        <Menu.Item onClick={() => moves.move(category.id, 1)}>{actions.down}</Menu.Item>
        {group === null ? null : <Menu.Item onClick={question('move')}>{actions.move}</Menu.Item>}
        <Menu.Divider />
        {ownArchive ? (
          <Menu.Item onClick={() => archive(category, !category.archived)}>
            {category.archived ? actions.restore : actions.archive}
          </Menu.Item>
        ) : null}
        <Menu.Item color="red" onClick={question('delete')}>
          {actions.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface CategoryIconProps {
  readonly icon: string;
  readonly color: string;
}

/** The picture of a category on its colour. Its name is beside it. */
function CategoryIcon({ icon, color }: CategoryIconProps) {
  return (
    <span className={classes.categoryIcon} style={{ borderColor: color }} aria-hidden="true">
      {icon}
    </span>
  );
}
