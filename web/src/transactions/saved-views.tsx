import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { SavedView } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { savedViews } from '../api/saved-views.ts';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Problem } from '../parts/page-states.tsx';
import { SAVED_VIEWS } from '../text/saved-views.ts';
import classes from './saved-views.module.css';
import type { TransactionsSearch } from './search.ts';
import { useViewChanges } from './use-view-changes.tsx';
import { searchOfView } from './view-filters.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';

/** The saved views, with a menu for the one that is shown. Nothing if there are none. */
export function SavedViews({ search }: { readonly search: TransactionsSearch }) {
  const { data: views, error, refetch } = useQuery(savedViews);
  const [renaming, setRenaming] = useState(false);
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Of more views than fit beside each other, the one that is shown is in view.
    if (search.view !== undefined) shown.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [search.view]);
  const changes = useViewChanges(() => setRenaming(false));
  if (views === undefined) {
    return error === null ? null : <Problem error={error} title={SAVED_VIEWS.failed.read} again={refetch} />;
  }
  if (views.length === 0) return null;
  const current = views.find(({ id }) => id === search.view) ?? null;
  return (
    <section className={classes.bar} aria-label={SAVED_VIEWS.title}>
      {renaming ? null : changes.outcome}
      <div className={classes.row}>
        <ul className={classes.views}>
          {views.map((view) => (
            <li key={view.id}>
              <Link
                to={APP_PATHS.transactions}
                search={searchOfView(view)}
                ref={view === current ? shown : undefined}
                className={classes.view}
                aria-current={view === current ? 'true' : undefined}
              >
                {view.name}
              </Link>
            </li>
          ))}
        </ul>
        {current === null ? null : (
          <OwnerOnly scope="categories:write">
            <ViewMenu
              view={current}
              onRename={() => setRenaming(true)}
              onDelete={() => changes.remove(current)}
            />
          </OwnerOnly>
        )}
      </div>
      {renaming && current !== null ? (
        <ViewNameDialog
          title={SAVED_VIEWS.renameTitle(current.name)}
          name={current.name}
          busy={changes.busy}
          error={changes.changeError}
          failed={SAVED_VIEWS.failed.update(current.name)}
          onSave={(name) => changes.change(current, { name })}
          onClose={() => {
            changes.reset();
            setRenaming(false);
          }}
        />
      ) : null}
    </section>
  );
}

interface ViewMenuProps {
  readonly view: SavedView;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function ViewMenu({ view, onRename, onDelete }: ViewMenuProps) {
  return (
    <Menu position="bottom-end" width={160}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={SAVED_VIEWS.actionsOf(view.name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRename}>{SAVED_VIEWS.rename}</Menu.Item>
        <Menu.Item color="red" onClick={onDelete}>
          {SAVED_VIEWS.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
