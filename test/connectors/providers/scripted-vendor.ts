import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AuBankingProvider,
  createAuBankingProvider,
} from '../../../src/connectors/providers/au-banking/connector.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type {
  ProviderAccess,
  TransactionQuery,
} from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { immediateClock } from './au-banking-bank.ts';

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Answers a request of the adapter; null for the default of that path. */
export type Script = (url: URL, request: IncomingMessage) => Scripted | null;

export interface ScriptedVendor {
  readonly provider: AuBankingProvider;
  /** Path and query of every request, in order. */
  readonly asked: URL[];
  /** Authorization headers of every request but mints. */
  readonly tokens: (string | undefined)[];
  rows(query?: Partial<TransactionQuery>): Promise<Transaction[]>;
}

export const GRANT: ProviderAccess = {
  customer: 'eu_1',
  secret: NO_SECRET,
  consent: 'arr-1',
  institution: '88888',
};
export const QUERY: TransactionQuery = {
  account: 'acc-1',
  timezone: 'Australia/Sydney',
  currency: 'aud',
  from: localDate('2026-01-01'),
  to: localDate('2026-01-31'),
  since: null,
  includePending: false,
};

/** A row as the vendor writes it. */
export function wireRow(id: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    fiskil_id: id,
    account_id: 'acc-1',
    arrangement_id: 'arr-1',
    institution_id: '88888',
    amount: '-12.34',
    currency: 'AUD',
    status: 'POSTED',
    type: 'PAYMENT',
    description: 'Coffee',
    reference: '',
    posting_date_time: '2026-01-15T03:00:00Z',
    execution_date_time: null,
    value_date_time: null,
    ...more,
  };
}

/** Runs the body against a vendor that answers by script, for answers the simulator is too correct to give. */
export async function withScriptedVendor(
  script: Script,
  body: (vendor: ScriptedVendor) => Promise<void>,
  clock: Clock = immediateClock,
  limits: Partial<Limits> = {},
): Promise<void> {
  const asked: URL[] = [];
  const tokens: (string | undefined)[] = [];
  let minted = 0;
  const server = createServer((request, response) => {
    request.resume();
    const url = new URL(request.url ?? '/', 'http://vendor.test');
    asked.push(url);
    if (url.pathname !== '/v1/token') tokens.push(request.headers.authorization);
    const answer = script(url, request) ?? standard(url, () => `token-${++minted}`);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  const baseUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [baseUrl] });
  const provider = createAuBankingProvider({
    http,
    clock,
    log: createLog({ level: 'silent' }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    baseUrl,
    clientId: 'client-1',
    clientSecret: 'secret-1',
    version: 'v3',
  });
  const rows = async (query: Partial<TransactionQuery> = {}) => {
    const found: Transaction[] = [];
    const { signal } = new AbortController();
    for await (const page of provider.transactionPages(GRANT, { ...QUERY, ...query }, signal))
      found.push(...page);
    return found;
  };
  try {
    await body({ provider, asked, tokens, rows });
  } finally {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

export const json = (value: unknown, more: Omit<Scripted, 'body'> = {}): Scripted => ({
  ...more,
  body: JSON.stringify(value),
});

function standard(url: URL, mint: () => string): Scripted {
  if (url.pathname === '/v1/token') return json({ token: mint(), expires_in: 900 });
  if (url.pathname === '/v1/consent') {
    const consent = {
      arrangement_id: 'arr-1',
      active: true,
      created_at: '2026-01-01T00:00:00Z',
      institution_id: '88888',
    };
    return json({ consents: [consent], links: {} });
  }
  if (url.pathname === '/v1/banking/accounts') {
    return json({ accounts: [{ account_id: 'acc-1', arrangement_id: 'arr-1' }], links: {} });
  }
  return json({ transactions: [], links: {} });
}
