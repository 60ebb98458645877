import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useRecordName } from '../api/me.ts';
import { SHELL } from '../text/shell.ts';
import { Icon } from './icon.tsx';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Reserves the line for actions on a phone before they are known, so that nothing moves when they appear. */
  readonly actionsToCome?: boolean;
  /** Takes all the width there is, for pages of several columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Whether the heading that was there before had the focus: of a page that was loading, another one takes its place. */
let hadFocus = false;

/** A page with its heading. A new page takes the focus, so that screen readers announce it. */
export function Page({ title, actions, actionsToCome = false, wide = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const record = useRecordName();
  useEffect(() => {
    document.title = SHELL.pageTitle(record === null ? title : `${title} · ${record}`);
  }, [title, record]);
  useLayoutEffect(() => {
    const shown = heading.current;
    return () => {
      hadFocus = document.activeElement === shown;
    };
  }, []);
  useEffect(() => {
    // On the first load, the browser starts at the top anyway.
    if (hadFocus || document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
    hadFocus = false;
  }, []);
  return (
    <>
      <header className={classes.head} data-wide={wide}>
        <h1 className={classes.title} tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
        {actionsToCome ? <div className={classes.actionsToCome} /> : null}
      </header>
      {children}
    </>
  );
}

interface BackProps extends Pick<LinkProps, 'to' | 'params'> {
  readonly children: string;
}

/** The link to the parent page. */
export function Back({ children, ...place }: BackProps) {
  return (
    <Link {...place} className={classes.back}>
      <Icon name="back" size={14} />
      {children}
    </Link>
  );
}
