import type { Page } from 'playwright-core';
import type { User } from '../../../src/storage/users.ts';
import type { TestOwner, TestService } from '../../support/service.ts';

/** A page, seen by a person in a certain state. */
interface Scene {
  readonly owner: TestOwner;
  readonly path: string;
  /** Who sees it: a new person by default. */
  readonly as?: User | 'signed-out';
  /** Whether its pictures also show what has to be scrolled to. */
  readonly whole?: boolean;
  /** Waits until everything is there. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Where a page is, as the service registers it: `/syncs/:id`, `/sandbox/notion/databases/*`. */
export type Route = `/${string}`;

/** Makes what is seen, and names the page on which it is. */
export interface SceneMaker {
  (service: TestService): Promise<Scene>;
  readonly route: Route;
}

/** By the name of their pictures. */
export type Scenes = Readonly<Record<string, SceneMaker>>;

/** A scene on the page of the route, which is also where the visit begins, unless it has parts to fill in. */
export function sceneAt(
  route: Route,
  make: (service: TestService) => Promise<Omit<Scene, 'path'> & Partial<Pick<Scene, 'path'>>>,
): SceneMaker {
  return Object.assign(async (service: TestService) => ({ path: route, ...(await make(service)) }), {
    route,
  });
}
