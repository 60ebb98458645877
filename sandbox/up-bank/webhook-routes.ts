import { isRecord, type JsonObject } from '../shared/json.ts';
import { json, NO_CONTENT } from '../shared/reply.ts';
import { checkQuery, type SimulatedRequest } from '../shared/request.ts';
import { badRequest } from '../shared/vendor-error.ts';
import { momentText } from './days.ts';
import { pageOf, pageReply } from './paging.ts';
import { API, type Route } from './route.ts';
import type { Webhook, Webhooks } from './webhooks.ts';

/** `/webhooks`. @param base of the API, which links begin with */
export function webhookRoutes(webhooks: Webhooks, base: () => string): readonly Route[] {
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
