import type { ComponentType } from 'react';
import { laterPart } from '../parts/later-part.tsx';
import { Page } from '../parts/page.tsx';
import { LoadingRows } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';

const EXPECTED = 4;

/**
 * A page whose script is loaded on the first visit. The module's export is checked at run time: with its type, which
 * refers to the router in its links, the routes would depend on themselves.
 */
export function laterPage<M extends object, K extends keyof M & string>(load: () => Promise<M>, name: K) {
  return laterPart({
    name,
    load: async () => pageIn((await load())[name]),
    loading: () => <LoadingRows count={EXPECTED} />,
    failed: (problem) => <Page title={PROBLEMS.pageMissing}>{problem}</Page>,
  });
}

function pageIn(page: unknown): ComponentType {
  if (!isPage(page)) throw new Error('the module has no such page');
  return page;
}

function isPage(page: unknown): page is ComponentType {
  return typeof page === 'function';
}
