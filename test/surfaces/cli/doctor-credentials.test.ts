import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import {
  INTEGRATIONS,
  placeIntegrations,
  providersOf,
  trustedOrigins,
} from '../../../src/app/integrations.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import type { ProviderIntegration } from '../../../src/connectors/providers/provider-integration.ts';
import type { Finding } from '../../../src/features/operator/finding.ts';
import { Inspection } from '../../../src/features/operator/inspection.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { IntegrationVariable } from '../../../src/platform/integration-settings.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import { ownToken } from '../../connectors/providers/nz-banking-own-token.ts';
import { startService, type TestService } from '../../support/service.ts';

type Settings = Readonly<Record<string, string>>;

const ROWS = INTEGRATIONS.flatMap(({ row }) => (row.kind === 'provider' ? [row] : []));

/** Each set of credentials with which a provider is set up: one of its alternatives, or all of them. */
function waysOf({ variables, alternatives = [] }: ProviderIntegration) {
  const all = variables.filter(({ role }) => role === 'credential');
  return [...alternatives, all].filter(({ length }) => length > 0);
}

/** Valid settings at a running simulator, with the credentials of one way only. */
function settingsFor(
  row: ProviderIntegration,
  way: readonly IntegrationVariable<unknown>[],
  all: Settings,
): Settings {
  const isUsed = (variable: IntegrationVariable<unknown>): boolean =>
    !variable.role.endsWith('credential') || way.includes(variable);
  const used = row.variables.filter((one) => isUsed(one) && all[one.env] !== undefined);
  return Object.fromEntries(used.map(({ env }) => [env, all[env] ?? '']));
}

/** A value of the same form that the vendor did not issue. */
function wrong({ parse }: IntegrationVariable<unknown>): string {
  if ('value' in parse('planted')) return 'planted';
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function vendorsOf({ app }: TestService): Promise<ReadonlyMap<string, Settings>> {
  const settings = new Map<string, Settings>();
  for (const { name } of ROWS) {
    const vendor = app.sandbox?.simulators.get(name);
    if (vendor !== undefined) settings.set(name, vendor.settings);
  }
  const akahu = settings.get('nz_banking') ?? assert.fail();
  const token = await ownToken({
    url: akahu.AKAHU_BASE_URL ?? '',
    oauthUrl: akahu.AKAHU_OAUTH_URL ?? '',
    appToken: akahu.AKAHU_APP_TOKEN ?? '',
    appSecret: akahu.AKAHU_APP_SECRET ?? '',
  });
  return settings.set('nz_banking', { ...akahu, AKAHU_USER_TOKEN: token });
}

/** What doctor finds of the providers, were the service set up so. */
async function providersFound(
  { app }: TestService,
  env: Settings,
  adapters: readonly Provider[] = [],
): Promise<ReadonlyMap<string, Finding>> {
  const placed = placeIntegrations(INTEGRATIONS, readConfig({ SANDBOX: 'off', ...env }), new Map());
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: trustedOrigins(placed) });
  const { clock, log } = app;
  const { limits } = app.config;
  const tools = { http, clock, log, limits, quotas: { take: async () => undefined }, ownUrls: [] };
  const providers = new Map<ProviderIdentifier, Provider>();
  for (const { row, values } of providersOf(placed)) providers.set(row.name, await row.open(values, tools));
  for (const adapter of adapters) providers.set(adapter.identifier, adapter);
  const cache = new MemoryCache(clock, { bytes: 1_000_000, ownerBytes: 1_000_000 });
  const gateway = new ProviderGateway({ ...tools, providers, cache, metrics: new Metrics() });
  const inspection = new Inspection({ ...app, encryption: app.operator.encryption, placed, gateway });
  try {
    const findings = await inspection.run(true, AbortSignal.timeout(60_000));
    return new Map(findings.map((finding) => [finding.check, finding]));
  } finally {
    await http.close();
  }
}

test('doctor asks each provider about every credential it is set up with, and finds each one that is wrong', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const vendors = await vendorsOf(service);
  const cases = ROWS.map((row) => ({
    row,
    of: waysOf(row).flatMap((way) => {
      const right = settingsFor(row, way, vendors.get(row.name) ?? assert.fail(row.name));
      return [null, ...way].map((variable) => ({
        planted: variable?.env ?? null,
        env: variable === null ? right : { ...right, [variable.env]: wrong(variable) },
      }));
    }),
  }));
  // A case of each provider together: none of them affects another.
  for (let at = 0; cases.some(({ of }) => of[at] !== undefined); at++) {
    const some = cases.flatMap(({ row, of }) => (of[at] === undefined ? [] : [{ row, ...of[at] }]));
    const found = await providersFound(service, Object.assign({}, ...some.map(({ env }) => env)));
    for (const { row, planted } of some) {
      const finding = found.get(`provider ${row.name}`) ?? assert.fail(row.name);
      const said = `${row.name} with a wrong ${planted}: ${finding.found}`;
      assert.equal(finding.outcome, planted === null ? 'ok' : 'fail', said);
      if (planted === null) assert.match(finding.found, /^the vendor accepts our credentials/, said);
      else assert.ok((finding.advice ?? '').length > 10, said);
      assert.doesNotMatch(finding.found, /user_token_|PRIVATE KEY/);
    }
  }
  assert.ok(cases.flatMap(({ of }) => of).length >= 15);
});

test('doctor does not call a provider set up that it has nothing to ask', async (t) => {
  const service = await startService();
  t.after(() => service.close());
  const unused = () => Promise.reject(new Error('not asked for'));
  const silent: Provider = {
    identifier: 'up_bank',
    capabilities: new Set(['link']),
    redeemsOnce: false,
    beginLink: unused,
    completeLink: unused,
    withdraw: unused,
    listAccounts: unused,
  };
  const found = await providersFound(service, { UP_TOKEN: 'planted' }, [silent]);
  assert.match(found.get('provider up_bank')?.found ?? '', /^not asked: the vendor offers nothing/);
});
