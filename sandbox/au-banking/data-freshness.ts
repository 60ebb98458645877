import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, requiredQuery } from '../shared/request.ts';
import { notFound } from '../shared/vendor-error.ts';
import type { Consents } from './consents.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { VendorRequest } from './request.ts';
import { utcText } from './rows/moment.ts';
import type { SharedAccounts } from './shared-accounts.ts';

/** Data sets by the names in the vendor's webhooks, and whether each waits for the rows older than 90 days. */
const DATA_SETS = [
  { name: 'banking.accounts', history: false },
  { name: 'banking.balances', history: false },
  { name: 'banking.transactions.recent', history: false },
  { name: 'banking.transactions', history: true },
] as const;

const COPY_EVERY_MS = 4 * 3_600_000;

/** `GET /v1/data-freshness`: when each data set of each consent was last copied from the bank. */
export class DataFreshness {
  readonly #consents: Consents;
  readonly #shared: SharedAccounts;
  readonly #offered: boolean;
  readonly #now: () => number;

  constructor(consents: Consents, shared: SharedAccounts, offered: boolean, now: () => number) {
    this.#consents = consents;
    this.#shared = shared;
    this.#offered = offered;
    this.#now = now;
  }

  list(request: VendorRequest, baseUrl: string): Reply {
    if (!this.#offered) throw notFound('not_found', 'not found');
    checkQuery(request.query, ['end_user_id', ...PAGE_PARAMETERS]);
    const now = this.#now();
    const active = this.#consents.activeOf(requiredQuery(request.query, 'end_user_id'));
    const items = active.flatMap((consent) =>
      DATA_SETS.map(({ name, history }) => {
        const readyAt = this.#shared.readyAt(consent)[history ? 'history' : 'first'];
        const ready = now >= readyAt;
        return {
          key: `${consent.arrangementId}/${name}`,
          json: {
            arrangement_id: consent.arrangementId,
            institution_id: consent.institutionId,
            data_type: name,
            status: ready ? 'COMPLETED' : 'IN_PROGRESS',
            last_synced_at: ready ? utcText(lastCopy(readyAt, now)) : null,
          },
        };
      }),
    );
    const page = pageList(items, baseUrl, request.path, request.query);
    return json(200, { data_freshness: page.items, links: page.links });
  }
}

/** The vendor copies each data set again every few hours. Epoch ms. */
function lastCopy(readyAt: number, now: number): number {
  return now - ((now - readyAt) % COPY_EVERY_MS);
}
