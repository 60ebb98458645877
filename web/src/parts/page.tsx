import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { SHELL } from '../text/shell.ts';
import { Icon } from './icon.tsx';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly actions?: ReactNode;
  /** Keeps the line that actions take on a phone before they are known, so that nothing moves when they come. */
  readonly actionsToCome?: boolean;
  readonly children: ReactNode;
}

/** A page with its heading. A new page takes the focus, so that those who hear it know where they are. */
export function Page({ title, actions, actionsToCome = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = SHELL.pageTitle(title);
  }, [title]);
  useEffect(() => {
    // On the first load the browser begins at the top by itself.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <header className={classes.head}>
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

/** The way to the page that this one is a part of. */
export function Back({ children, ...place }: BackProps) {
  return (
    <Link {...place} className={classes.back}>
      <Icon name="back" size={14} />
      {children}
    </Link>
  );
}
