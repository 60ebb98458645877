import type { Misbehaviours } from '../shared/misbehaviours.ts';
import { json, type Reply, reply } from '../shared/reply.ts';

/** What servers of SimpleFIN were reported to do (docs/decisions/0040-simplefin-source.md#what-servers-do). */
export const QUIRKS = {
  web_firewall: 'a web page with 403 instead of an answer, also to claims',
  payment_required: '402, until the person has paid',
  errors_only: '200 with an error in general and without any account',
  quota_warning: 'a warning in `errors` that too many requests were made, with the accounts',
} as const;

type Quirk = keyof typeof QUIRKS;

const FIREWALL_PAGE =
  '<!doctype html><html lang="en"><title>Attention Required!</title><h1>Sorry, you have been blocked</h1></html>';

/** The quirks that are armed now. */
export class ServerQuirks {
  readonly #misbehaviours: Pick<Misbehaviours, 'quirks'>;

  constructor(misbehaviours: Pick<Misbehaviours, 'quirks'>) {
    this.#misbehaviours = misbehaviours;
  }

  has(quirk: Quirk): boolean {
    return this.#misbehaviours.quirks().some(({ name }) => name === quirk);
  }

  /** An answer of what stands in front of the server; null if the request reaches it. */
  inFront(): Reply | null {
    return this.has('web_firewall')
      ? reply(403, FIREWALL_PAGE, { 'content-type': 'text/html; charset=UTF-8' })
      : null;
  }

  /** An answer without accounts; null if the server lists them. */
  insteadOfAccounts(): Reply | null {
    if (this.has('payment_required')) return noAccounts(402, 'Payment required.');
    return this.has('errors_only') ? noAccounts(200, 'Accounts cannot be listed at the moment.') : null;
  }
}

function noAccounts(status: number, message: string): Reply {
  return json(status, {
    errors: [message],
    errlist: [{ code: 'gen.', msg: message }],
    connections: [],
    accounts: [],
  });
}
