import type { ReactNode } from 'react';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { useMay } from '../api/me.ts';
import { ROLES } from '../text/problems.ts';
import classes from './page.module.css';
import { Empty } from './page-states.tsx';

interface OwnerOnlyProps {
  /** What the operation behind it needs. */
  readonly scope: Scope;
  /** What others see instead: nothing, a sentence in place of a button, or the content of a page. */
  readonly otherwise?: 'nothing' | 'sentence' | 'page';
  readonly children: ReactNode;
}

/** Controls that change something, for people who may. */
export function OwnerOnly({ scope, otherwise = 'nothing', children }: OwnerOnlyProps) {
  if (useMay(scope)) return children;
  switch (otherwise) {
    case 'nothing':
      return null;
    case 'sentence':
      return <p className={classes.sentence}>{ROLES.sentence}</p>;
    case 'page':
      return <NotYours />;
  }
}

/** In place of a page, or a part of one, that is for owners. */
export function NotYours() {
  return <Empty title={ROLES.title} text={ROLES.text} />;
}
