import { isRecord, type JsonObject } from '../shared/json.ts';
import { json, NO_CONTENT } from '../shared/reply.ts';
import { checkQuery, enumQuery, type SimulatedRequest } from '../shared/request.ts';
import { badRequest, notFound } from '../shared/vendor-error.ts';
import { CATEGORIES, isCategory, parentOf } from './categories.ts';
import type { Customer, UpAccount } from './customer.ts';
import { momentText } from './days.ts';
import { pageOf, pageReply } from './paging.ts';
import { accountJson, categoryJson } from './resource-json.ts';
import { API, type Route } from './route.ts';
import type { Transactions } from './transactions.ts';
import type { Webhook, Webhooks } from './webhooks.ts';

export function routesOf(parts: {
  readonly transactions: Transactions;
  readonly webhooks: Webhooks;
  readonly now: () => number;
  readonly base: () => string;
}): readonly Route[] {
  const { transactions, webhooks, now, base } = parts;
  const get = (path: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path: `${API}${path}`,
    handle,
  });
  return [
    get('/util/ping', ({ query }, { id }) => {
      checkQuery(query, []);
      return json(200, { meta: { id, statusEmoji: '⚡️' } });
    }),
    get('/accounts', ({ query }, customer) => {
      checkQuery(query, ['page[size]', 'page[after]', 'filter[accountType]', 'filter[ownershipType]']);
      const type = enumQuery(query, 'filter[accountType]', ['SAVER', 'TRANSACTIONAL', 'HOME_LOAN']);
      const ownership = enumQuery(query, 'filter[ownershipType]', ['INDIVIDUAL', 'JOINT']);
      const found = openOf(customer).filter(
        ({ facts }) =>
          (type ?? facts.type) === facts.type && (ownership ?? facts.ownership) === facts.ownership,
      );
      const { page, next } = pageOf(found, query);
      return pageReply(
        page.map((account) => accountJson(account, now(), base())),
        `${base()}/accounts`,
        query,
        next,
      );
    }),
    get('/accounts/:id', ({ query, params }, customer) => {
      checkQuery(query, []);
      return json(200, { data: accountJson(accountOf(customer, params.id), now(), base()) });
    }),
    get('/accounts/:id/transactions', (request, customer) =>
      transactions.list(request, customer, [accountOf(customer, request.params.id)]),
    ),
    get('/transactions', (request, customer) => transactions.list(request, customer, openOf(customer))),
    get('/transactions/:id', (request, customer) => transactions.read(request, customer)),
    get('/categories', ({ query }) => {
      checkQuery(query, ['filter[parent]']);
      const parent = query.get('filter[parent]');
      if (parent !== null && !isCategory(parent))
        throw notFound('filter[parent]', 'There is no such category.');
      const found = CATEGORIES.filter((id) => parent === null || parentOf(id) === parent);
      return json(200, { data: found.map((id) => categoryJson(id, base())) });
    }),
    get('/categories/:id', ({ params }) => {
      const id = params.id ?? '';
      if (!isCategory(id)) throw notFound('id', 'There is no such category.');
      return json(200, { data: categoryJson(id, base()) });
    }),
    ...webhookRoutes(webhooks, base),
  ];
}

const openOf = ({ accounts }: Customer): readonly UpAccount[] => accounts.filter(({ closed }) => !closed);

function accountOf(customer: Customer, id: string | undefined): UpAccount {
  const account = openOf(customer).find((one) => one.id === id);
  if (account === undefined) throw notFound('id', 'No account has this identifier.');
  return account;
}

/** `/webhooks`. @param base of the API, the start of links */
function webhookRoutes(webhooks: Webhooks, base: () => string): readonly Route[] {
  const shown = ({ id, url, description, createdAt }: Webhook, more: JsonObject = {}): JsonObject => ({
    type: 'webhooks',
    id,
    attributes: { url, description, createdAt: momentText(createdAt), ...more },
    relationships: { logs: { links: { related: `${base()}/webhooks/${id}/logs` } } },
    links: { self: `${base()}/webhooks/${id}` },
  });
  const one = `${API}/webhooks/:id`;
  return [
    {
      method: 'GET',
      path: `${API}/webhooks`,
      handle: ({ query }) => {
        checkQuery(query, ['page[size]', 'page[after]']);
        const { page, next } = pageOf(webhooks.list(), query);
        return pageReply(
          page.map((webhook) => shown(webhook)),
          `${base()}/webhooks`,
          query,
          next,
        );
      },
    },
    {
      method: 'POST',
      path: `${API}/webhooks`,
      handle: (request) => {
        const { url, description } = inputOf(request);
        const made = webhooks.register(url, description);
        return json(201, { data: shown(made, { secretKey: made.secret }) });
      },
    },
    {
      method: 'GET',
      path: one,
      handle: ({ params }) => json(200, { data: shown(webhooks.find(params.id ?? '')) }),
    },
    {
      method: 'DELETE',
      path: one,
      handle: ({ params }) => {
        const { id } = webhooks.find(params.id ?? '');
        void webhooks.remove(id);
        return NO_CONTENT;
      },
    },
    {
      method: 'POST',
      path: `${one}/ping`,
      handle: ({ params }) => json(201, { data: webhooks.ping(params.id ?? '') }),
    },
  ];
}

/** @throws VendorError for a body that is not the one of the description */
function inputOf({ body }: SimulatedRequest): { readonly url: string; readonly description: string | null } {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    throw badRequest('data', 'The body is not JSON.');
  }
  const data = isRecord(sent) ? sent.data : null;
  const attributes = isRecord(data) ? data.attributes : null;
  const { url, description }: Record<string, unknown> = isRecord(attributes) ? attributes : {};
  if (typeof url !== 'string') throw badRequest('url', 'The url is missing.');
  return { url, description: typeof description === 'string' ? description : null };
}
