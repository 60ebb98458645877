import { Button, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { appUrl, signIn } from '../api/app-url.ts';
import { abandonedWrite, heldRequests } from '../api/held-requests.ts';
import { me, useRecordName } from '../api/me.ts';
import { endedSession, wasSwitched } from '../api/session.ts';
import { now } from '../format/clock.ts';
import { Icon } from '../parts/icon.tsx';
import { laterPart } from '../parts/later-part.tsx';
import { followListKeys } from '../parts/list-keys.ts';
import { Notice } from '../parts/notice.tsx';
import problem from '../parts/page-states.module.css';
import { UndoNotice } from '../parts/undo.tsx';
import { PROBLEMS } from '../text/problems.ts';
import { SHELL } from '../text/shell.ts';
import { Offline } from './connection.tsx';
import { AccountMenu, useLaterButton } from './later-menus.tsx';
import { Navigation } from './navigation.tsx';
import { Palette, PaletteButton, usePaletteKeys } from './palette/palette.tsx';
import classes from './shell.module.css';

const KeysDialog = laterPart<{ readonly onClose: () => void }>({
  name: 'keys',
  load: async () => (await import('./keys-dialog.tsx')).KeysDialog,
  loading: () => null,
});

const switched = wasSwitched();

/** Says that this tab was reloaded because another one switched to another account record. */
function SwitchedRecord() {
  const [open, setOpen] = useState(switched);
  const { title, text } = SHELL.switched;
  return open ? <Notice tone="bad" title={title} text={text} onClose={() => setOpen(false)} /> : null;
}

/** Which account record is shown, for someone who shares several; leads to all of them. */
function ShownRecord() {
  const name = useRecordName();
  if (name === null) return null;
  const label = `${SHELL.records.shown}: ${name}`;
  return (
    <a className={classes.record} href={appUrl('settings/accounts').href} aria-label={label} title={label}>
      <bdi>{name}</bdi>
    </a>
  );
}

const CONTENT = 'content';

/** The frame that stays while pages change. */
export function Shell() {
  const [keys, setKeys] = useState(false);
  const account = useLaterButton(
    classes.account ?? '',
    <>
      <Icon name="person" />
      <span className={classes.accountName}>{SHELL.account}</span>
    </>,
  );
  const [searching, setSearching] = useState(false);
  const search = useCallback(() => setSearching(true), []);
  const endSearch = useCallback(() => setSearching(false), []);
  usePaletteKeys(search);
  useEffect(() => followListKeys(() => setKeys(true)), []);
  return (
    <div className={classes.shell}>
      {/* A plain anchor would be resolved against the base of the document, and leave the page. */}
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById(CONTENT)?.focus()}
      >
        {SHELL.skip}
      </button>
      <header className={classes.top}>
        <Link to={APP_PATHS.home} className={classes.brand}>
          <img src="static/icon.svg" alt="" width={22} height={22} />
          {SHELL.product}
        </Link>
        <ShownRecord />
        <PaletteButton onPress={search} />
        <AccountMenu button={account} onKeys={() => setKeys(true)} />
      </header>
      <Navigation />
      <main className={classes.content} id={CONTENT} tabIndex={-1}>
        <div className={classes.measure}>
          <Offline />
          <EndedSession />
          <SwitchedRecord />
          <Outlet />
        </div>
      </main>
      <div className={classes.notices}>
        <TooManyRequests />
        <AbandonedWrite />
        <UndoNotice />
      </div>
      {searching ? <Palette onKeys={() => setKeys(true)} onClose={endSearch} /> : null}
      {keys ? <KeysDialog onClose={() => setKeys(false)} /> : null}
    </div>
  );
}

/** Says that a change was given up because the person left or cancelled while it waited. */
function AbandonedWrite() {
  const at = useSyncExternalStore(abandonedWrite.watch, abandonedWrite.read);
  if (at === null) return null;
  const { title, text } = SHELL.abandoned;
  return <Notice key={at} tone="bad" title={title} text={text} onClose={abandonedWrite.seen} />;
}

const TICK_MS = 250;

/** Says that requests wait because there were too many, and for how long. It covers no part of the page's flow. */
function TooManyRequests() {
  const until = useSyncExternalStore(heldRequests.watch, heldRequests.read);
  // The status is there before it says anything, or it would not be announced.
  return <div role="status">{until === null ? null : <Countdown until={until} key={until} />}</div>;
}

function Countdown({ until }: { readonly until: number }) {
  const [began] = useState(now);
  const [at, setAt] = useState(began);
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const { title, text } = SHELL.tooMany;
  const secondsFrom = (moment: number) => Math.max(1, Math.ceil((until - moment) / 1000));
  return (
    <div className={classes.held}>
      {/* Announced once, not every second. */}
      <VisuallyHidden>{`${title(secondsFrom(began))} ${text}`}</VisuallyHidden>
      <Icon name="warning" size={20} />
      <div aria-hidden="true">
        <p className={problem.title}>{title(secondsFrom(at))}</p>
        <p>{text}</p>
      </div>
    </div>
  );
}

/** Says above the page that the session has ended, and continues with the page once there is one again. */
function EndedSession() {
  const ended = useSyncExternalStore(endedSession.watch, endedSession.read);
  const client = useQueryClient();
  const { title, text, again, notYet } = SHELL.ended;
  // Any answer says that there is a session again. Of another account record there is none: the document is left then.
  const check = useMutation({
    mutationFn: () => client.fetchQuery({ ...me, staleTime: 0 }),
    // The button that had the focus is gone.
    onSuccess: () => document.querySelector('main')?.focus({ preventScroll: true }),
  });
  const { error, reset } = check;
  useEffect(() => {
    if (!ended) return;
    return () => {
      client.invalidateQueries();
      reset();
    };
  }, [ended, client, reset]);
  if (!ended) return null;
  return (
    <div className={`${problem.problem} ${classes.ended}`} role="alert">
      <Icon name="warning" size={20} />
      <div className={problem.words}>
        <p className={problem.title}>{title}</p>
        <p className={problem.text}>{text}</p>
        {error === null ? null : (
          <p className={problem.text}>
            {error instanceof ApiError && error.status === 401 ? notYet : PROBLEMS.unreachable}
          </p>
        )}
        <div className={problem.more}>
          <a href={signIn().href} target="_blank" rel="noreferrer">
            {PROBLEMS.signIn}
          </a>
          <Button size="xs" variant="default" loading={check.isPending} onClick={() => check.mutate()}>
            {again}
          </Button>
        </div>
      </div>
    </div>
  );
}
