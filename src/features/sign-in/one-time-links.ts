import type { Clock } from '../../platform/clock.ts';
import { looksLikeOpaqueSecret, newOpaqueSecret, opaqueSecretHash } from '../../platform/random-text.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db } from '../../storage/database.ts';
import type { Invitation } from '../../storage/invitations.ts';
import {
  findOneTimeLink,
  insertOneTimeLink,
  type OneTimeLink,
  useOneTimeLink,
} from '../../storage/one-time-links.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { OneTimeLinkKind } from '../../vocabulary/one-time-links.ts';
import { missing } from '../../vocabulary/service-error.ts';
import type { InvitationStatus, OneTimeLinkStatus } from '../../vocabulary/states.ts';

/** Status at `now`, epoch ms; computed, never stored (docs/states.md#one-time-link). */
export function oneTimeLinkStatus(
  link: Pick<OneTimeLink, 'used_at' | 'expires_at'>,
  now: number,
): OneTimeLinkStatus {
  if (link.used_at !== null) return 'used';
  return link.expires_at.getTime() <= now ? 'expired' : 'open';
}

/** Status at `now`, epoch ms; computed, never stored (docs/states.md#invitation). */
export function invitationStatus(
  invitation: Pick<Invitation, 'accepted_at' | 'revoked_at' | 'expires_at'>,
  now: number,
): InvitationStatus {
  if (invitation.accepted_at !== null) return 'accepted';
  if (invitation.revoked_at !== null) return 'revoked';
  return invitation.expires_at.getTime() <= now ? 'expired' : 'open';
}

/** Links of one purpose, each usable once before it expires. Only hashes of their secrets are stored. */
export class OneTimeLinks {
  readonly #kinds: readonly OneTimeLinkKind[];
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #lastsMs: number;

  constructor(
    kinds: readonly OneTimeLinkKind[],
    deps: { readonly db: Db; readonly clock: Clock; readonly lastsMs: number },
  ) {
    this.#kinds = kinds;
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#lastsMs = deps.lastsMs;
  }

  /** The secret of a new link, which exists only in the result. */
  async issue(db: Db, kind: OneTimeLinkKind, user: RowId<'user'> | null): Promise<string> {
    const now = this.#clock.now();
    const secret = newOpaqueSecret();
    await insertOneTimeLink(db, {
      id: newRowId(this.#clock),
      kind,
      token_hash: opaqueSecretHash(secret),
      user_id: user,
      expires_at: new Date(now + this.#lastsMs),
      used_at: null,
      created: new Date(now),
    });
    return secret;
  }

  /** The link if it can still be used; does not use it. Raises `resource_missing`. */
  async find(secret: string): Promise<OneTimeLink> {
    const link = looksLikeOpaqueSecret(secret)
      ? await findOneTimeLink(this.#db, this.#kinds, opaqueSecretHash(secret))
      : null;
    if (link === null || oneTimeLinkStatus(link, this.#clock.now()) !== 'open') throw missing('link');
    return link;
  }

  /** Uses the link. Raises `resource_missing` for every caller but the first. */
  async use(db: Db, secret: string): Promise<OneTimeLink> {
    const now = new Date(this.#clock.now());
    const link = looksLikeOpaqueSecret(secret)
      ? await useOneTimeLink(db, this.#kinds, opaqueSecretHash(secret), now)
      : null;
    if (link === null) throw missing('link');
    return link;
  }
}
