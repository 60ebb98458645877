import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Days } from '../api/held-rows.ts';
import { useMay } from '../api/me.ts';
import { savedViews } from '../api/saved-views.ts';
import { Check } from '../parts/fields.tsx';
import { SAVED_VIEWS } from '../text/saved-views.ts';
import type { TransactionsSearch } from './search.ts';
import { useViewChanges } from './use-view-changes.tsx';
import { daysUpTo, isAsSaved, queryOfSearch, withPeriod } from './view-filters.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';

interface SaveViewProps {
  readonly search: TransactionsSearch;
  readonly days: Days;
  readonly today: string;
}

/** What the page shows when no one has chosen anything. */
const USUAL = queryOfSearch({});

/** Saves the filters as a view, or as the one that they were chosen as. Nothing where that would save nothing new. */
export function SaveView({ search, days, today }: SaveViewProps) {
  const { data: views = [] } = useQuery(savedViews);
  const may = useMay('categories:write');
  const [saving, setSaving] = useState(false);
  const changes = useViewChanges(() => setSaving(false));
  const current = views.find(({ id }) => id === search.view) ?? null;
  const isNew = current === null ? queryOfSearch(search) !== USUAL : !isAsSaved(search, current);
  if (!may || !(isNew || saving)) return null;
  return (
    <>
      {current === null ? null : (
        <Button
          size="xs"
          loading={changes.busy}
          onClick={() => changes.change(current, { query: queryOfSearch(search) })}
        >
          {SAVED_VIEWS.update}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setSaving(true)}>
        {SAVED_VIEWS.save}
      </Button>
      {saving ? null : changes.outcome}
      {saving ? (
        <SaveDialog
          search={search}
          movable={search.days === undefined && search.from !== undefined ? daysUpTo(today, days) : null}
          busy={changes.busy}
          error={changes.createError}
          onSave={(name, filters) => changes.create({ name, filters, shown: search })}
          onClose={() => {
            changes.reset();
            setSaving(false);
          }}
        />
      ) : null}
    </>
  );
}

interface SaveDialogProps {
  readonly search: TransactionsSearch;
  /** How many days up to today the chosen period has, if it could move along. */
  readonly movable: number | null;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: (name: string, search: TransactionsSearch) => void;
  readonly onClose: () => void;
}

/** Asks what the view is called, and what its period means tomorrow. */
function SaveDialog({ search, movable, busy, error, onSave, onClose }: SaveDialogProps) {
  const [moves, setMoves] = useState(search.to === undefined);
  return (
    <ViewNameDialog
      title={SAVED_VIEWS.saveTitle}
      name=""
      busy={busy}
      error={error}
      failed={SAVED_VIEWS.failed.save}
      onSave={(name) => onSave(name, withPeriod(search, moves ? movable : null))}
      onClose={onClose}
    >
      {movable === null ? null : (
        <Check
          label={SAVED_VIEWS.moves(movable)}
          hint={SAVED_VIEWS.movesHint}
          checked={moves}
          onChange={setMoves}
        />
      )}
    </ViewNameDialog>
  );
}
