/**
 * Test files that get their own process, and why. All others share one with their neighbours, so they must restore
 * whatever they change in the process.
 */
export const OWN_PROCESS: ReadonlyMap<string, string> = new Map([
  // The longest first: processes start in this order, so none of these is left running alone at the end.
  ['test/browser/accessible-pages.browser.ts', 'takes long'],
  ['test/conformance/operations.test.ts', 'takes long'],
  ['test/conformance/greedy-owner.test.ts', 'takes long'],
  ['test/demo/torture-suite.test.ts', 'takes long'],
  ['test/surfaces/cli/encryption-keys.test.ts', 'takes long'],
  ['test/storage/earlier-schemas.test.ts', 'takes long'],
  ['test/storage/many-records.test.ts', 'takes long, and replaces a method of the connections'],
  ['test/surfaces/v2/heavy-bodies.test.ts', 'measures processor time'],
  ['test/surfaces/cli/installation.test.ts', 'takes long'],
  ['test/deploy/release.test.ts', 'takes long'],
  ['test/demo/demo.test.ts', 'takes long'],
  ['test/demo/torture.test.ts', 'takes long'],
  ['test/demo/torture-cluster.test.ts', 'takes long'],
  ['test/connectors/providers/hostile-bank.test.ts', 'measures memory and event-loop delay'],
  [
    'test/features/provider-gateway/endless-pages.test.ts',
    'measures memory, and exposes the garbage collector',
  ],
  ['test/features/reads/newest-rows.test.ts', 'measures memory, and exposes the garbage collector'],
  ['test/features/reads/trades-memory.test.ts', 'measures memory'],
  ['test/features/provider-gateway/memory.test.ts', 'measures memory, and exposes the garbage collector'],
  [
    'test/features/sync-engine/verification-memory.test.ts',
    'measures memory, and exposes the garbage collector',
  ],
  ['test/features/exports/memory.test.ts', 'measures memory, and exposes the garbage collector'],
  ['test/features/rules/actions.test.ts', 'measures time against the speed of the machine'],
  ['test/features/sign-in/sign-in-time.test.ts', 'measures time'],
  ['test/platform/outgoing-http.test.ts', 'replaces the environment'],
  ['test/connectors/destinations/postgres-environment.test.ts', 'changes the environment'],
  ['test/platform/scrub.test.ts', 'measures time against the speed of the machine'],
  ['test/web/build.test.ts', 'bundles the web application, which takes memory'],
  ['test/sandbox/au-banking-computed-rows.test.ts', 'measures memory'],
]);
