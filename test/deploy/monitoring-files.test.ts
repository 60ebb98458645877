import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse, stringify } from 'yaml';
import { plain, tableRows } from '../house/markdown.ts';
import { readText } from '../house/tree.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { startService, type TestService } from '../support/service.ts';

const ALERTS = fileURLToPath(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url));
const RULES = Value.Parse(
  Type.Object({
    groups: Type.Array(
      Type.Object({
        rules: Type.Array(
          Type.Object({
            alert: Type.String(),
            expr: Type.String(),
            labels: Type.Object({ severity: Type.String() }),
            annotations: Type.Object({ summary: Type.String(), action: Type.String() }),
          }),
        ),
      }),
    ),
  }),
  parse(readText('deploy/prometheus/alerts.yaml')),
).groups.flatMap(({ rules }) => rules);
const PANELS = Value.Parse(
  Type.Object({
    panels: Type.Array(
      Type.Object({ targets: Type.Optional(Type.Array(Type.Object({ expr: Type.String() }))) }),
    ),
  }),
  JSON.parse(readText('deploy/grafana/dashboard.json')),
).panels;
const EXPRESSIONS = [
  ...RULES.map(({ expr }) => expr),
  ...PANELS.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];
const MIB = 2 ** 20;
const DOCS = readText('docs/self-hosting.md');

const namesIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:tributary|process|nodejs)_\w+/g)].map(([name]) => name);
const ofHistogram = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '');

describe('The alert rules and the dashboard', () => {
  let service: TestService;
  let text: string;
  let exposed: ReadonlySet<string>;
  before(async () => {
    service = await startService({ METRICS_PORT: '0' });
    text = await (await fetch(service.metricsUrl ?? assert.fail())).text();
    exposed = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
  });
  after(() => service.close());

  test('name only metrics that a running service has', () => {
    const named = new Set(EXPRESSIONS.flatMap(namesIn));
    assert.ok(named.size > 20);
    assert.deepEqual(
      [...named].filter((name) => !exposed.has(name) && !exposed.has(ofHistogram(name))),
      [],
    );
  });

  test('count what has a series at 0 from the start, since Prometheus sees no increase in a first sample', () => {
    const series = Object.values(CASES)
      .flatMap(({ fires }) => Object.keys(fires))
      .filter((name) => name.includes('_total{'));
    assert.ok(series.length > 6);
    assert.deepEqual(
      series.filter((name) => !text.includes(`\n${name.replace('", ', '",')} 0\n`)),
      [],
    );
  });

  test('the dashboard shows each metric of the service', () => {
    const shown = new Set(PANELS.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))));
    const whole = new Set([...shown].map(ofHistogram));
    assert.deepEqual(
      [...exposed].filter((name) => name.startsWith('tributary_') && !whole.has(name) && !shown.has(name)),
      [],
    );
  });

  test('group and select by labels that docs/self-hosting.md gives to the metric', () => {
    const labels = new Map(
      tableRows(DOCS, 'Metrics').map(({ Metric = '', Labels = '' }) => [
        plain(Metric),
        new Set([...Labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)),
      ]),
    );
    const ours = EXPRESSIONS.flatMap((expr) => {
      const [name = ''] = namesIn(expr).filter((one) => one.startsWith('tributary_'));
      const known = labels.get(name) ?? labels.get(ofHistogram(name));
      if (known === undefined) return [];
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, by = '']) => by.split(', '));
      const selected = [...expr.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label);
      return [...grouped, ...selected]
        .filter((label) => label !== 'le' && label !== 'job' && !known.has(label))
        .map((label) => `${name}: ${label}`);
    });
    assert.deepEqual(ours, []);
  });
});

test('TributaryMemoryHigh fires below every memory limit that is shipped, and above what is usual', () => {
  const { expr = '' } = RULES.find(({ alert }) => alert === 'TributaryMemoryHigh') ?? {};
  const most = Number(/> (\S+)$/.exec(expr)?.[1]);
  const [compose, kubernetes] = ['deploy/compose.yaml', 'deploy/kubernetes.yaml'].map(readText);
  const limits = [
    ...(compose ?? '').matchAll(/mem_limit: (\d+)m$/gm),
    ...(kubernetes ?? '').matchAll(/limits: \{[^}]*memory: (\d+)Mi/g),
  ].map(([, mebibytes]) => Number(mebibytes) * MIB);
  assert.equal(limits.length, 2);
  for (const limit of limits) assert.ok(most <= 0.8 * limit, `${most} of ${limit}`);
  const usual = tableRows(DOCS, 'Memory').map(({ 'Memory, MiB': text = '' }) =>
    Number(/(\d+)(?: more)?$/.exec(text)?.[1]),
  );
  const [first = NaN, restart = NaN, sync = NaN] = usual;
  assert.ok(most >= 1.2 * MIB * Math.max(first, restart + sync), `${most} above ${usual.join(', ')}`);
});

test('the alerts of docs/self-hosting.md are the rules, in both directions', () => {
  const documented = tableRows(DOCS, 'Alerts').map(({ Alert = '', Severity, When }) => [
    plain(Alert),
    Severity,
    When,
  ]);
  const rules = RULES.map(({ alert, labels, annotations: { summary } }) => [
    alert,
    labels.severity,
    `${summary.charAt(0).toLowerCase()}${summary.slice(1, -1)}`,
  ]);
  assert.deepEqual(documented, rules);
});

/** Series by their name and labels, a value a minute, in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

interface AlertCase {
  readonly fires: Series;
  /** The same by a process that has just started: `_` is a minute without a sample. */
  readonly starting?: Series;
  /** The same at other rates, by what they are. */
  readonly also?: Readonly<Record<string, Series>>;
  /** What is usual, or has not lasted for long enough. */
  readonly calm: Series;
  readonly calmToo?: Readonly<Record<string, Series>>;
}

const UP = 'up{job="tributary"}';
const calls = (result: string) => `tributary_provider_calls_total{provider="up_bank", result="${result}"}`;
const failed = (cause: string) => `tributary_failed_requests_total{cause="${cause}"}`;
const REFUSED = 'tributary_requests_refused_total{code="rate_limit_exceeded"}';
const SET_ASIDE = 'tributary_rows_set_aside_total{provider="up_bank", field="amount"}';
const sent = (outcome: string) => `tributary_deliveries_total{to="notion", outcome="${outcome}"}`;
const answers = (status: string) => `tributary_http_request_seconds_count{operation="x", status="${status}"}`;
const answersIn = (le: string) => `tributary_http_request_seconds_bucket{operation="x", le="${le}"}`;
const wait = (per: string) =>
  `tributary_vendor_quota_wait_seconds{quota="google-sheets-writes", per="${per}"}`;
const ended = (status: string) => `tributary_sync_runs_total{status="${status}"}`;
const overdue = (by: string) => `tributary_syncs_overdue{by="${by}"}`;
const CASES: Readonly<Record<string, AlertCase>> = {
  TributaryDown: { fires: { [UP]: '0x120' }, calm: { [UP]: '1x118 0 0' } },
  TributaryRestarting: {
    fires: { 'process_start_time_seconds{job="tributary"}': '0+60x120' },
    calm: { 'process_start_time_seconds{job="tributary"}': '60x100 90x20' },
  },
  TributaryDatabaseUnreachable: {
    fires: { [UP]: '1x120', tributary_queued_runs: '0x90 stale' },
    calm: { [UP]: '1x120', tributary_queued_runs: '0x120' },
  },
  TributaryNoWorker: { fires: { tributary_workers: '0x120' }, calm: { tributary_workers: '1x120' } },
  TributaryRunsWaiting: {
    fires: { tributary_queued_run_age_seconds: '0+60x120' },
    calm: { tributary_queued_run_age_seconds: '300x120' },
  },
  TributaryRunsFailing: {
    fires: { [ended('failed')]: '0+1x120', [ended('succeeded')]: '0x120' },
    starting: { [ended('failed')]: '_x100 0 5x18', [ended('succeeded')]: '_x100 0x19' },
    calm: { [ended('failed')]: '0+1x120', [ended('succeeded')]: '0+3x120' },
  },
  TributarySyncsStale: {
    fires: { [overdue('24h')]: '3x120', [overdue('72h')]: '1x120' },
    calm: { [overdue('24h')]: '3x120', [overdue('72h')]: '0x120' },
  },
  TributaryProviderFailing: {
    fires: { [calls('answered')]: '0+1x120', [calls('failed')]: '0+3x120' },
    starting: { [calls('answered')]: '_x80 0x39', [calls('failed')]: '_x80 0+3x39' },
    also: {
      // The one sync of a household, with two accounts: eight calls every six hours.
      'one household': { [calls('answered')]: '0x100 0x20', [calls('failed')]: '0x80 2 4 6 8x36' },
      // 100 syncs that are spread over six hours, four calls each; the provider is down for half an hour at the end.
      '100 syncs': { [calls('answered')]: '0+1x90 90x29', [calls('failed')]: '0x90 1+1x28' },
    },
    calm: { [calls('answered')]: '0+30x120', [calls('failed')]: '0+3x120' },
    calmToo: {
      // A household whose bank fails one read of several.
      'one household': { [calls('answered')]: '0x80 6x39', [calls('failed')]: '0x80 2x39' },
      // A minute's outage while 100 syncs read.
      '100 syncs': { [calls('answered')]: '0+1x119', [calls('failed')]: '0x100 8x19' },
      'credentials that are refused': { [calls('answered')]: '0x119', [calls('refused')]: '0+1x119' },
    },
  },
  TributaryCredentialsRefused: {
    fires: { [calls('refused')]: '0x90 1x29' },
    starting: { [calls('refused')]: '_x90 0 1x28' },
    calm: { [calls('failed')]: '0+3x120', [calls('refused')]: '3x120' },
  },
  TributaryDeliveriesFailing: {
    fires: { [sent('succeeded')]: '0x120', [sent('failed')]: '0+3x120' },
    starting: { [sent('succeeded')]: '_x80 0x39', [sent('failed')]: '_x80 0+3x39' },
    calm: { [sent('succeeded')]: '0+30x120', [sent('failed')]: '0+3x120' },
  },
  TributaryServerErrors: {
    fires: { [answers('200')]: '0+60x120', [failed('service')]: '0+2x120', [failed('store')]: '0+2x120' },
    starting: { [failed('service')]: '_x90 0+6x29', [failed('store')]: '_x90 0x29' },
    // A bank's outage, however many wait for it, and few requests of which one fails.
    calm: { [answers('503')]: '0+60x120', [failed('upstream')]: '0+60x120', [failed('service')]: '0+1x120' },
  },
  TributarySlowRequests: {
    fires: { [answersIn('10')]: '0+1x120', [answersIn('30')]: '0+10x120', [answersIn('+Inf')]: '0+10x120' },
    calm: { [answersIn('10')]: '0+10x120', [answersIn('30')]: '0+10x120', [answersIn('+Inf')]: '0+10x120' },
  },
  TributaryManyRefused: {
    fires: { [REFUSED]: '0+600x120' },
    starting: { [REFUSED]: '_x80 0+600x39' },
    calm: { [REFUSED]: '0+60x120' },
  },
  TributaryQuotaUsedUp: {
    fires: { [wait('service')]: '0x100 0 0.4 12 7 31 0 15 44 8 0.1 21 3 50 9 14 27 0 6 19 2' },
    // A minute's rush in which all share one, and an owner whose own quota of an hour is used up.
    calm: { [wait('service')]: '0x110 20 9 14 0x7', [wait('holder')]: '3600x120' },
  },
  TributaryRowsSetAside: {
    fires: { [SET_ASIDE]: '0+10x120' },
    starting: { [SET_ASIDE]: '_x60 0 5000x58' },
    calm: { [SET_ASIDE]: '3x120' },
  },
  TributaryRejectedRows: {
    fires: { 'tributary_rejected_rows{origin="destination"}': '2000x480' },
    calm: { 'tributary_rejected_rows{origin="destination"}': '12x480' },
  },
  TributaryBackupLate: {
    fires: { tributary_backup_age_seconds: '180000x120' },
    calm: { tributary_backup_age_seconds: '90000x120' },
  },
  TributaryEventLoopSlow: {
    fires: { 'nodejs_eventloop_lag_p99_seconds{job="tributary"}': '0.8x120' },
    calm: { 'nodejs_eventloop_lag_p99_seconds{job="tributary"}': '0.02x120' },
  },
  TributaryMemoryHigh: {
    fires: { 'process_resident_memory_bytes{job="tributary"}': '700000000x120' },
    calm: { 'process_resident_memory_bytes{job="tributary"}': '460000000x120' },
  },
  TributaryFilesRunningOut: {
    fires: {
      'process_open_fds{job="tributary"}': '900x120',
      'process_max_fds{job="tributary"}': '1024x120',
    },
    calm: { 'process_open_fds{job="tributary"}': '90x120', 'process_max_fds{job="tributary"}': '1024x120' },
  },
};

const FIRING = [{ labels: '{}', value: 1 }];
/** Minutes after which a case is looked at. */
const END: Readonly<Record<string, number>> = { TributaryRejectedRows: 420 };

const promtool = (...args: readonly string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
/** Where everything must run, a test that cannot is a failure. */
const MUST = process.env.CI === 'true';
const NEEDS_PROMTOOL = {
  skip:
    MUST || promtool('--version').error === undefined
      ? false
      : 'needs promtool, of the Debian package prometheus',
};

test('promtool accepts the alert rules', NEEDS_PROMTOOL, () => {
  const { status, stdout, stderr } = promtool('check', 'rules', ALERTS);
  assert.equal(status, 0, `${stdout}${stderr}`);
});

test('each alert fires over what it is for, and not otherwise', NEEDS_PROMTOOL, async () => {
  assert.deepEqual(
    Object.keys(CASES),
    RULES.map(({ alert }) => alert),
  );
  const tests = Object.entries(CASES).flatMap(([alert, { fires, starting, also, calm, calmToo }]) =>
    [
      { name: 'fires', series: fires, expected: FIRING },
      ...(starting === undefined ? [] : [{ name: 'starting', series: starting, expected: FIRING }]),
      ...Object.entries(also ?? {}).map(([name, series]) => ({ name, series, expected: FIRING })),
      { name: 'calm', series: calm, expected: [] },
      ...Object.entries(calmToo ?? {}).map(([name, series]) => ({ name, series, expected: [] })),
    ].map(({ name, series, expected }) => ({
      name: `${alert}: ${name}, ${expected.length === 0 ? 'silent' : 'firing'}`,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}", alertstate="firing"})`,
          eval_time: `${END[alert] ?? 119}m`,
          exp_samples: expected,
        },
      ],
    })),
  );
  const folder = await scratchDirectory();
  const file = join(folder, 'cases.yaml');
  await writeFile(file, stringify({ rule_files: [ALERTS], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = promtool('test', 'rules', file);
  await rm(folder, { recursive: true, force: true });
  assert.equal(status, 0, `${stdout}${stderr}`);
});
