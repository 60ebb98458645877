import { useMantineColorScheme } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../../api/app-url.ts';
import { api } from '../../api/client.ts';
import { heldRows } from '../../api/held-rows.ts';
import { refreshBank } from '../../api/refresh-bank.ts';
import { syncs } from '../../api/syncs.ts';
import { Problem } from '../../parts/page-states.tsx';
import { RefreshNotice } from '../../parts/refresh-notice.tsx';
import { useStillHere } from '../../parts/still-here.ts';
import { CONNECTIONS } from '../../text/connections.ts';
import { PALETTE } from '../../text/palette.ts';
import { SYNCS } from '../../text/syncs.ts';
import { useSwitching } from '../switching.ts';
import type { Entry } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import { PLACE_ENTRIES } from './fixed-entries.ts';
import { searchEntries } from './own-entries.ts';
import classes from './palette.module.css';
import { found } from './ranking.ts';
import { isOfferedAgain, recentChoices, rememberChoice } from './recent-choices.ts';
import { useEntries } from './use-entries.ts';

interface PaletteResultsProps {
  readonly text: string;
  /** The id that the list has. */
  readonly list: string;
  /** Takes the keys that the field gets. */
  readonly onKey: RefObject<((event: KeyboardEvent) => void) | null>;
  /** Told the id of the entry that Enter would choose. */
  readonly onActive: (id: string | null) => void;
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/** More than anyone looks through; the searches come after them. */
const MOST_SHOWN = 40;
const FIRST_PLACES: ReadonlySet<string> = new Set(PLACE_ENTRIES.map(({ id }) => id));

/** What the palette finds, and what choosing it does. */
export function PaletteResults({ text, list, onKey, onActive, onKeys, onClose }: PaletteResultsProps) {
  const { all, things, record, state } = useEntries();
  const searched = useDeferredValue(text);
  const [recent] = useState(() => new Map<string, readonly string[]>());
  const isSearch = searched.trim() !== '';
  const hits = useMemo(() => found(all, searched).slice(0, MOST_SHOWN), [all, searched]);
  const sections = useMemo(() => {
    if (isSearch)
      return [{ title: null, isMixed: true, entries: [...hits, ...searchEntries(searched, things)] }];
    // As it was when the palette was opened.
    if (record !== null && !recent.has(record)) recent.set(record, recentChoices(record));
    const known = new Map(all.filter(isOfferedAgain).map((entry) => [entry.id, entry]));
    const latest = (record === null ? [] : (recent.get(record) ?? [])).flatMap((id) => known.get(id) ?? []);
    const others = all.filter((entry) => !latest.includes(entry));
    return [
      { title: PALETTE.recent, isMixed: true, entries: latest },
      { title: PALETTE.places, isMixed: false, entries: others.filter(({ id }) => FIRST_PLACES.has(id)) },
      {
        title: PALETTE.actions,
        isMixed: false,
        entries: others.filter(({ id }) => id.startsWith('action:')),
      },
    ].filter(({ entries }) => entries.length > 0);
  }, [all, things, record, recent, searched, isSearch, hits]);
  const entries = sections.flatMap((section) => section.entries);

  // Without the searches elsewhere, which are offered for whatever is typed.
  const results = !isSearch
    ? PALETTE.results(entries.length)
    : hits.length > 0
      ? PALETTE.results(hits.length)
      : PALETTE.none(searched.trim());

  const choice = useChoice({ onKeys, onClose });
  const choose = (entry: Entry) => {
    if (record !== null && isOfferedAgain(entry)) rememberChoice(record, entry.id);
    choice.choose(entry);
  };

  // By entry, since the list grows while it is read; by the first one after every change of the text.
  const [chosen, setChosen] = useState<{ readonly text: string; readonly id: string } | null>(null);
  const at = chosen?.text === searched ? entries.findIndex(({ id }) => id === chosen.id) : -1;
  const active = entries[Math.max(at, 0)];
  const optionId = (entry: Entry) => `${list} ${entry.id}`.replaceAll(/[^\w-]/g, '-');
  const activeId = active === undefined ? null : optionId(active);
  // Before anything is drawn or announced, so that the field and the list agree.
  useLayoutEffect(() => {
    onActive(activeId);
  }, [activeId, onActive]);

  const handle = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const last = entries.length - 1;
    const here = Math.max(at, 0);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: here === last ? 0 : here + 1,
      ArrowUp: here === 0 ? last : here - 1,
      PageDown: Math.min(last, here + PAGE),
      PageUp: Math.max(0, here - PAGE),
      Home: 0,
      End: last,
    };
    const next = entries[moves[event.key] ?? -1];
    if (event.key === 'Enter' && active !== undefined && searched === text) choose(active);
    else if (next !== undefined) setChosen({ text: searched, id: next.id });
    else return;
    event.preventDefault();
  };
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    onKey.current = (event) => latest.current(event);
    return () => {
      onKey.current = null;
    };
  }, [onKey]);

  return (
    <>
      {choice.outcome === null ? null : <div className={classes.outcome}>{choice.outcome}</div>}
      <EntryList
        id={list}
        sections={sections}
        active={active ?? null}
        optionId={optionId}
        onPoint={({ id }) => setChosen({ text: searched, id })}
        onChoose={choose}
      />
      <p className={classes.count} role="status">
        {choice.busy ?? (state === 'reading' ? PALETTE.reading : results)}
        {state === 'incomplete' ? ` ${PALETTE.unread}` : null}
      </p>
      <form method="post" action={appUrl('sign-out').href} ref={choice.signOut} hidden />
    </>
  );
}

const PAGE = 8;

/**
 * Does what an entry says. What takes a while keeps the palette open and says there how it went; it goes on if the palette
 * is closed, and then opens no page.
 */
function useChoice({ onKeys, onClose }: { readonly onKeys: () => void; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const switchTo = useSwitching();
  const signOut = useRef<HTMLFormElement>(null);
  const stillHere = useStillHere();
  const run = useMutation({
    mutationFn: ({ id }: { readonly id: string; readonly name: string }) => api.syncs.run({ id }),
    onMutate: stillHere,
    onSuccess: ({ id }, _, isHere) => {
      if (!isHere()) return;
      onClose();
      return navigate({ to: APP_PATHS.syncRun, params: { id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: syncs.queryKey }),
  });
  const refresh = useMutation({
    mutationFn: refreshBank,
    onSettled: () => {
      heldRows.forget();
      return queries.invalidateQueries();
    },
  });
  const choose = ({ choice }: Entry) => {
    if (run.isPending || refresh.isPending) return;
    run.reset();
    refresh.reset();
    switch (choice.does) {
      case 'open':
        onClose();
        return navigate(choice.place);
      case 'leave':
        return location.assign(appUrl(choice.address));
      case 'run':
        return run.mutate(choice.sync);
      case 'refresh':
        return refresh.mutate(choice.bank);
      case 'theme':
        setColorScheme(choice.theme);
        return onClose();
      case 'switch':
        return switchTo(choice.record);
      case 'keys':
        onClose();
        return onKeys();
      case 'sign-out':
        return signOut.current?.requestSubmit();
    }
  };
  const bank = refresh.variables?.institution.name ?? '';
  const sync = run.variables?.name ?? '';
  const outcome =
    run.error !== null ? (
      <Problem error={run.error} title={SYNCS.failed.run(sync)} />
    ) : refresh.error !== null ? (
      <Problem error={refresh.error} title={CONNECTIONS.failed.refresh(bank)} />
    ) : refresh.data !== undefined ? (
      <RefreshNotice bank={bank} refreshed={refresh.data} onClose={refresh.reset} />
    ) : null;
  const busy = run.isPending ? PALETTE.busy.run(sync) : refresh.isPending ? PALETTE.busy.refresh(bank) : null;
  return { choose, outcome, busy, signOut };
}
