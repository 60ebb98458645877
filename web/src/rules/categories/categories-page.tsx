import { ActionIcon, Button, Menu, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Category, ProviderCategory } from '#client';
import { categories, providerCategories } from '../../api/categories.ts';
import { Card } from '../../parts/card.tsx';
import { Check } from '../../parts/fields.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Announcement, Notice } from '../../parts/notice.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Page } from '../../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { CATEGORIES, DRAGGING, UNCLAIMED } from '../../text/categories.ts';
import { CategorySelect } from '../category-select.tsx';
import { SortingTabs } from '../sorting-tabs.tsx';
import classes from './categories.module.css';
import { type Asking, useCategoryChanges, useCategoryMoves } from './category-actions.ts';
import { CategoryDialogs } from './category-dialogs.tsx';
import { holdersOf, withoutCategory } from './claims.ts';
import { GroupCard } from './group-card.tsx';

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

interface CategoryTreeProps {
  readonly all: readonly Category[];
  readonly asking: Asking | null;
  readonly ask: (asking: Asking | null) => void;
}

/** Groups with their categories, to be sorted, changed and given codes. */
function CategoryTree({ all, asking, ask }: CategoryTreeProps) {
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

interface UnclaimedCardProps {
  readonly codes: readonly ProviderCategory[];
  readonly all: readonly Category[];
  readonly busy: boolean;
  readonly onClaim: (category: Category, code: string) => void;
}

/** Codes whose transactions show no category, each with a way to give it one. */
function UnclaimedCard({ codes, all, busy, onClaim }: UnclaimedCardProps) {
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
