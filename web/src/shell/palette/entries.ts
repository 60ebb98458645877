import type { LinkProps } from '@tanstack/react-router';
import type { Connection, Sync } from '#client';
import type { IconName } from '../../../../src/vocabulary/icons.ts';
import type { PALETTE } from '../../text/palette.ts';
import type { SHELL } from '../../text/shell.ts';

export type Place = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** What choosing an entry does. */
type Choice =
  | { readonly does: 'open'; readonly place: Place }
  /** A page of the service, below its root. */
  | { readonly does: 'leave'; readonly address: string }
  | { readonly does: 'run'; readonly sync: Sync }
  | { readonly does: 'refresh'; readonly bank: Connection }
  | { readonly does: 'theme'; readonly theme: keyof typeof SHELL.themes }
  | { readonly does: 'switch'; readonly record: string }
  | { readonly does: 'keys' }
  | { readonly does: 'sign-out' };

/** One thing that can be chosen. */
export interface Entry {
  /** Of a page, an action or a thing; stays the same, and contains nothing that a person wrote. */
  readonly id: string;
  readonly kind: keyof typeof PALETTE.kinds;
  readonly name: string;
  /** What tells it from others of that name; searched as well. */
  readonly detail: string;
  readonly icon: IconName;
  readonly choice: Choice;
}
