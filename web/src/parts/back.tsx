import { Link, type LinkProps } from '@tanstack/react-router';
import classes from './back.module.css';
import { Icon } from './icon.tsx';

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
