import { ActionIcon, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { categories } from '../../api/categories.ts';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { LoadingRows, Problem } from '../../parts/page-states.tsx';
import { SortingTabs } from '../../parts/sorting-tabs.tsx';
import { CATEGORIES } from '../../text/categories.ts';
import classes from './categories.module.css';
import type { Asking } from './category-actions.ts';
import { CategoryTree } from './category-tree.tsx';

const EXPECTED = 12;

export function CategoriesPage() {
  const { data, error, refetch } = useQuery(categories);
  const [asking, setAsking] = useState<Asking | null>(null);
  return (
    <Page
      title={CATEGORIES.title}
      actions={
        data === undefined ? undefined : (
          <OwnerOnly scope="categories:write" otherwise="sentence">
            <Actions ask={setAsking} />
          </OwnerOnly>
        )
      }
    >
      <SortingTabs />
      {data !== undefined ? (
        <CategoryTree all={data} asking={asking} ask={setAsking} />
      ) : error === null ? (
        <div className={classes.group}>
          <LoadingRows count={EXPECTED} />
        </div>
      ) : (
        <Problem error={error} again={refetch} />
      )}
    </Page>
  );
}

function Actions({ ask }: { readonly ask: (asking: Asking) => void }) {
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={() => ask({ about: 'group' })}>
        {CATEGORIES.newGroup}
      </Button>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon className={classes.menu ?? ''} variant="default" size="lg" aria-label={CATEGORIES.more}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" onClick={() => ask({ about: 'reset' })}>
            {CATEGORIES.reset}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
