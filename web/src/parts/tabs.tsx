import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './tabs.module.css';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly to: NonNullable<LinkProps['to']>; readonly name: string }[];
}

/** The pages of a part of the application, beside each other. */
export function Tabs({ label, tabs }: TabsProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the tab of this page may be beyond the edge.
    const here = list.current?.querySelector('[aria-current="page"]');
    here?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  return (
    <nav className={classes.tabs} aria-label={label} ref={list}>
      {tabs.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          activeProps={{ className: `${classes.tab} ${classes.here}` }}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
