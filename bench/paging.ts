import { randomUUID } from 'node:crypto';
import { createAuBankingProvider } from '../src/connectors/providers/au-banking/connector.ts';
import { NO_SECRET } from '../src/connectors/providers/customer-secret.ts';
import { MemoryCache } from '../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../src/features/provider-gateway/provider-gateway.ts';
import { AddressGuard } from '../src/platform/address-guard.ts';
import { systemClock } from '../src/platform/clock.ts';
import { boundHeapGrowth } from '../src/platform/heap.ts';
import { createLog } from '../src/platform/log.ts';
import { Metrics } from '../src/platform/metrics.ts';
import { OutgoingHttp } from '../src/platform/outgoing-http.ts';
import { rowId } from '../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../src/vocabulary/limits.ts';
import { localDate } from '../src/vocabulary/moments.ts';
import { completeConsent } from '../test/support/consent-client.ts';
import { say, settingsOf } from './lib/child.ts';

// The same settings as those of the service.
boundHeapGrowth();
const settings = settingsOf();
const url = String(settings.url);
const rows = Number(settings.rows);

/** Reads a statement of that many rows through adapter and gateway, keeps none, and reports how many arrived. */
const { signal } = new AbortController();
const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [url] });
const log = createLog({ level: 'silent' });
const limits = { ...DEFAULT_LIMITS, read_rows: 1_000_000_000, read_pages: 1_000_000 };
const wire = { http, clock: systemClock, log, limits, baseUrl: url, version: 'v3' } as const;
const provider = createAuBankingProvider({ ...wire, clientId: 'bench', clientSecret: 'bench' });
const gateway = new ProviderGateway({
  providers: new Map([['au_banking' as const, provider]]),
  cache: new MemoryCache(systemClock, { bytes: 0, ownerBytes: 0 }),
  limits,
  clock: systemClock,
  log,
  metrics: new Metrics(),
});

const link = {
  customer: (await provider.createCustomer(randomUUID(), signal)).id,
  secret: NO_SECRET,
  institution: '88888',
  redirectUri: 'https://app.example/connect/return',
  state: 's1',
  verifier: 'v'.repeat(43),
  renew: null,
};
const begun = await provider.beginLink(link, signal);
const returned = await completeConsent(begun.url, { customer: `rows:${rows}`, outcome: 'approve' });
const query = Object.fromEntries(returned.searchParams);
const outcome = await provider.completeLink({ ...link, memo: begun.memo, query }, signal);
if (outcome.kind !== 'linked') throw new Error('The bench customer could not be linked.');
const connection = {
  id: rowId('connection', randomUUID()),
  owner: rowId('account_record', randomUUID()),
  provider: 'au_banking' as const,
  institution: 'Bench Bank',
  grant: { customer: link.customer, secret: NO_SECRET, ...outcome.grants[0].grant },
  caching: false,
};
const [upstream] = await gateway.listAccounts(connection, signal);
if (upstream === undefined) throw new Error('The bench customer has no account.');
const account = {
  id: rowId('account', randomUUID()),
  upstreamId: upstream.id,
  type: upstream.type,
  balanceSign: null,
  timezone: 'Australia/Sydney',
  currency: upstream.currency,
  connection,
};
const window = {
  from: localDate('2001-01-01'),
  to: localDate('2100-01-01'),
  since: null,
  includePending: true,
};
let read = 0;
for await (const page of gateway.transactions.stream(account, window, signal)) read += page.length;
say({ rows: read });
