import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Consent, Consents } from './consents.ts';
import type { EndUser, EndUsers } from './end-users.ts';
import { isRecord } from './json.ts';

/**
 * Keeps end users and consents across restarts, so that connections made in the sandbox still work the next
 * day. Rows are not kept: they follow from the seed and the calendar.
 */
export class StateFile {
  readonly #path: string;
  readonly #users: EndUsers;
  readonly #consents: Consents;
  #saved = '';

  constructor(path: string, users: EndUsers, consents: Consents) {
    this.#path = path;
    this.#users = users;
    this.#consents = consents;
  }

  /** Restores what an earlier run kept; nothing when there is no file. Throws on an unreadable one. */
  load(): void {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (isRecord(error) && error.code === 'ENOENT') return;
      throw error;
    }
    const state: unknown = JSON.parse(text);
    if (!isRecord(state) || !Array.isArray(state.users) || !Array.isArray(state.consents)) {
      throw new Error(`${this.#path} is not a sandbox state file; delete it to start afresh.`);
    }
    this.#users.restore(state.users.filter(isEndUser));
    this.#consents.restore(state.consents.filter(isConsent));
    this.#saved = text;
  }

  /** Writes the state if it changed; whole or not at all. */
  save(): void {
    const text = JSON.stringify({ users: this.#users.all(), consents: this.#consents.all() });
    if (text === this.#saved) return;
    writeFileSync(`${this.#path}.new`, text, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
    this.#saved = text;
  }
}

function isEndUser(value: unknown): value is EndUser {
  return isRecord(value) && typeof value.id === 'string' && typeof value.email === 'string';
}

function isConsent(value: unknown): value is Consent {
  return (
    isRecord(value) &&
    [value.arrangementId, value.endUserId, value.institutionId, value.customer].every(
      (id) => typeof id === 'string',
    ) &&
    [value.createdAt, value.consentedAt, value.expiresAt, value.accessedAt].every(
      (at) => typeof at === 'number',
    ) &&
    Array.isArray(value.accountIds) &&
    Array.isArray(value.permissions)
  );
}
