import { isFreshSignIn } from '../../features/access/caller.ts';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { WebOptions } from './web-options.ts';

/** Whether the person may change what outlasts their session. */
export function isFresh(
  { began }: SignedIn,
  { clock, limits }: Pick<WebOptions, 'clock' | 'limits'>,
): boolean {
  return isFreshSignIn(began, clock.now(), limits);
}
