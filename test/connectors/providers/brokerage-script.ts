import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type BrokerageProvider,
  createBrokerageProvider,
} from '../../../src/connectors/providers/brokerage/connector.ts';
import type { ProviderAccess, TradeQuery } from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { KEY, KeptSecret, NOW, never } from './brokerage-broker.ts';

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Answers a request of the adapter; null for the default of that path. */
export type Script = (url: URL, request: IncomingMessage) => Scripted | null;

export interface ScriptedBroker {
  readonly provider: BrokerageProvider;
  readonly access: ProviderAccess;
  /** Path and query of every request, in order. */
  readonly asked: URL[];
  /** @param seen receives the ids as they come, also of a read that fails */
  trades(query?: Partial<TradeQuery>, seen?: string[]): Promise<Trade[]>;
}

export const json = (value: unknown, more: Omit<Scripted, 'body'> = {}): Scripted => ({
  ...more,
  body: JSON.stringify(value),
});

/** Runs the body against a vendor that answers by script, for answers the simulator is too correct to give. */
export async function withScriptedBroker(
  script: Script,
  body: (broker: ScriptedBroker) => Promise<void>,
  limits: Partial<Limits> = {},
): Promise<void> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? '/', 'http://vendor.test');
    asked.push(url);
    const answer = script(url, request) ?? standard(url);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const baseUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [baseUrl] });
  const provider = createBrokerageProvider({
    http,
    clock: { now: () => NOW, sleep: async () => undefined },
    log: createLog({ level: 'silent' }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    baseUrl,
    ...KEY,
    personal: false,
  });
  const access: ProviderAccess = {
    customer: 'user-1',
    secret: new KeptSecret('secret-1'),
    consent: 'con-1',
    institution: 'broker-1',
  };
  const trades = async (query: Partial<TradeQuery> = {}, seen: string[] = []) => {
    const found: Trade[] = [];
    const whole = { account: 'acc-1', timezone: 'America/New_York', from: null, to: null, ...query };
    for await (const page of provider.tradePages(access, whole, never)) {
      found.push(...page);
      seen.push(...page.map(({ id }) => id));
    }
    return found;
  };
  try {
    await body({ provider, access, asked, trades });
  } finally {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function standard(url: URL): Scripted {
  if (url.pathname === '/snapTrade/resetUserSecret')
    return json(
      { default_detail: 'Invalid userID or userSecret provided', default_code: 1083 },
      { status: 401 },
    );
  if (url.pathname === '/authorizations/con-1')
    return json({
      id: 'con-1',
      created_date: '2026-01-01T00:00:00Z',
      disabled: false,
      brokerage: { id: 'broker-1', name: 'Broker' },
    });
  if (url.pathname.endsWith('/activities')) return json({ data: [], pagination: { total: 0 } });
  if (url.pathname.endsWith('/positions/all')) return json({ results: [] });
  return json({ id: 'acc-1', balance: { total: { amount: 1, currency: 'USD' } }, sync_status: {} });
}
