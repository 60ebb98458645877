import assert from 'node:assert/strict';
import type { Operation } from '../../src/operations/operation.ts';
import type { TestOwner } from '../support/service.ts';
import type { Answer } from '../support/v2-client.ts';
import { pathOf } from './asks.ts';
import type { Ids } from './inputs.ts';
import { okay } from './things.ts';

/** How the first page of a list is asked for, and a filter that was not in force then. */
const WALKS: Readonly<Record<string, (ids: Ids) => { readonly begin: string; readonly changed: string }>> = {
  list_institutions: () => ({ begin: '', changed: 'q=a' }),
  list_connections: () => ({ begin: '', changed: 'provider=au_banking' }),
  list_consents: (ids) => ({ begin: '', changed: `connection=${ids('connection')}` }),
  list_accounts: (ids) => ({ begin: '', changed: `connection=${ids('connection')}` }),
  list_transactions: (ids) => ({ begin: `account=${ids('account')}`, changed: 'include_pending=true' }),
  list_syncs: () => ({ begin: '', changed: 'enabled=true' }),
  list_events: () => ({ begin: '', changed: 'type[]=connection.*' }),
  list_sync_runs: () => ({ begin: '', changed: 'status[]=failed' }),
  list_audit_events: () => ({ begin: '', changed: 'kind=api_key.created' }),
  list_rejected_rows: () => ({ begin: '', changed: 'origin=destination' }),
};

function walkOf(operation: Operation, ids: Ids): { readonly begin: string; readonly changed: string } {
  const walk = WALKS[operation.id];
  if (walk === undefined)
    throw new Error(`Say in WALKS how a request of ${operation.id} changes its filter.`);
  return walk(ids);
}

/** Asks for a first page, then for the next one with another filter. */
export async function changedFilter(
  owner: Pick<TestOwner, 'v2'>,
  operation: Operation,
  ids: Ids,
): Promise<Answer> {
  const { begin, changed } = walkOf(operation, ids);
  const path = pathOf(operation, ids);
  const first = okay(await owner.v2('GET', `${path}?limit=1&${begin}`));
  assert.ok(first.body.next_page_url, 'there has to be a second page');
  const page = new URL(first.body.next_page_url).searchParams.get('page') ?? '';
  return owner.v2('GET', `${path}?page=${page}&${changed}`);
}
