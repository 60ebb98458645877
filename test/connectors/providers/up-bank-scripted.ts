import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type {
  ProviderAccess,
  TransactionQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import {
  createUpBankProvider,
  type UpBankProvider,
} from '../../../src/connectors/providers/up-bank/connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { immediateClock } from './au-banking-bank.ts';
import { QUERY, type Scripted } from './scripted-vendor.ts';
import { TOKEN, WEBHOOK_SECRET } from './up-bank-world.ts';

export const GRANT: ProviderAccess = {
  customer: 'a-key',
  secret: NO_SECRET,
  consent: 'person-1',
  institution: 'up',
};

export interface ScriptedUp {
  readonly provider: UpBankProvider;
  readonly baseUrl: string;
  /** Path and query of every request, in order. */
  readonly asked: URL[];
  rows(query?: Partial<TransactionQuery>): Promise<Transaction[]>;
}

/** Runs the body against an Up that answers by script, for answers the simulator is too correct to give. */
export async function withScriptedUp(
  script: (url: URL) => Scripted | null,
  body: (up: ScriptedUp) => Promise<void>,
  limits: Partial<Limits> = {},
): Promise<void> {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://up.test');
    asked.push(url);
    const ping: Scripted = { body: JSON.stringify({ meta: { id: 'person-1', statusEmoji: '⚡️' } }) };
    const missing: Scripted = { status: 404, body: '{}' };
    const answer = script(url) ?? (url.pathname === '/util/ping' ? ping : missing);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const baseUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [baseUrl] });
  const provider = createUpBankProvider({
    http,
    clock: immediateClock,
    limits: { ...DEFAULT_LIMITS, ...limits },
    baseUrl,
    token: TOKEN,
    webhookSecret: WEBHOOK_SECRET,
  });
  const rows = async (query: Partial<TransactionQuery> = {}) => {
    const found: Transaction[] = [];
    const { signal } = new AbortController();
    for await (const page of provider.transactionPages(GRANT, { ...QUERY, ...query }, signal))
      found.push(...page);
    return found;
  };
  try {
    await body({ provider, baseUrl, asked, rows });
  } finally {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
