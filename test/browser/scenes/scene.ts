import type { Page } from 'playwright-core';
import type { User } from '../../../src/storage/users.ts';
import type { TestOwner, TestService } from '../../support/service.ts';

/** A page at a moment of somebody's life. */
interface Scene {
  readonly owner: TestOwner;
  readonly path: string;
  /** Who sees it: by default somebody nobody knows yet; `nobody` is signed out. */
  readonly as?: User | 'nobody';
  /** Whether its pictures show what has to be scrolled to as well. */
  readonly whole?: boolean;
  /** Waits until everything is there. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** By the name of their pictures. */
export type Scenes = Readonly<Record<string, (service: TestService) => Promise<Scene>>>;
