import { json, type Reply } from '../shared/reply.ts';
import { checkQuery, requiredQuery } from '../shared/request.ts';
import { fiskilAccountId } from './bank-account.ts';
import { PAGE_PARAMETERS, pageList } from './paging.ts';
import type { VendorRequest } from './request.ts';
import type { SharedAccounts } from './shared-accounts.ts';
import { inVersion } from './versions.ts';

/** `GET /v1/banking/accounts` */
export function listAccounts(shared: SharedAccounts, request: VendorRequest, baseUrl: string): Reply {
  checkQuery(request.query, ['end_user_id', ...PAGE_PARAMETERS]);
  const found = shared.of(requiredQuery(request.query, 'end_user_id'), 'accounts');
  const items = found.map(({ consent, account }) => ({
    key: `${consent.arrangementId}/${account.accountId}`,
    json: {
      account_id: account.accountId,
      fiskil_id: fiskilAccountId(account),
      arrangement_id: consent.arrangementId,
      institution_id: account.institutionId,
      ...inVersion(account.detail, request.version),
      ...(account.state === 'CLOSED' ? { open_status: 'CLOSED' } : {}),
    },
  }));
  const page = pageList(items, baseUrl, request.path, request.query);
  return json(200, { accounts: page.items, links: page.links });
}
