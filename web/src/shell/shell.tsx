import { Link, Outlet } from '@tanstack/react-router';
import { PATHS } from '../routing/paths.ts';
import { SHELL } from '../text/shell.ts';
import { AccountMenu } from './account-menu.tsx';
import { EndedSession } from './ended-session.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { SwitchedRecord } from './switched-record.tsx';

const CONTENT = 'content';

/** What stays while pages come and go. */
export function Shell() {
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
        <Link to={PATHS.home} className={classes.brand}>
          <img src="static/icon.svg" alt="" width={22} height={22} />
          {SHELL.product}
        </Link>
        <AccountMenu />
      </header>
      <Navigation />
      <main className={classes.content} id={CONTENT} tabIndex={-1}>
        <div className={classes.measure}>
          <EndedSession />
          <SwitchedRecord />
          <Outlet />
        </div>
      </main>
    </div>
  );
}
