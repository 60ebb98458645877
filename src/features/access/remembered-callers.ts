import type { NoticeKind, Notices } from '../../storage/notices.ts';
import type { Caller } from './caller.ts';

const MAX_REMEMBERED = 10_000;

/**
 * Remembers in the process whose a credential is, by its digest, because looking it up costs more than most requests. A
 * notice from whichever process revoked or changed it removes it at once, and while notices may be missed nothing is
 * remembered at all.
 */
export class RememberedCallers<C extends Pick<Caller, 'id' | 'accountRecord'>> {
  readonly #notices: Notices;
  readonly #callers = new Map<string, C>();
  #generation = 0;

  /** @param kind the notices that name a caller of this kind by its id */
  constructor(notices: Notices, kind: NoticeKind) {
    this.#notices = notices;
    notices.onLost(() => this.#forget(() => true));
    notices.onNotice((notice) => {
      if (notice.kind === kind) this.#forget((caller) => caller.id === notice.id);
      if (notice.kind === 'account_record') {
        this.#forget((caller) => caller.accountRecord.id === notice.id);
      }
    });
  }

  recall(digest: string): C | null {
    return this.#callers.get(digest) ?? null;
  }

  /** Looks the caller up, and remembers it unless something was forgotten meanwhile. */
  async find(digest: string, look: () => Promise<C | null>): Promise<C | null> {
    const generation = this.#generation;
    const caller = await look();
    if (caller !== null && this.#notices.connected && generation === this.#generation) {
      if (this.#callers.size >= MAX_REMEMBERED) this.#callers.clear();
      this.#callers.set(digest, caller);
    }
    return caller;
  }

  #forget(of: (caller: C) => boolean): void {
    this.#generation += 1;
    for (const [slot, caller] of this.#callers) if (of(caller)) this.#callers.delete(slot);
  }
}
