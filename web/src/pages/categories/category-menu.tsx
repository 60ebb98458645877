import { ActionIcon, Menu } from '@mantine/core';
import type { Category } from '#client';
import { Icon } from '../../parts/icon.tsx';
import { CATEGORIES } from '../../text/categories.ts';
import classes from './categories.module.css';
import type { CategoryActions } from './category-actions.ts';

interface CategoryMenuProps {
  readonly category: Category;
  /** The group it is in; null for a group. */
  readonly group: Category | null;
  readonly actions: CategoryActions;
}

/** Everything that can be done with a category or a group. */
export function CategoryMenu({ category, group, actions: { moves, ask, archive } }: CategoryMenuProps) {
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
