/**
 * Scenarios of the public conformance suites that do not apply, and why; docs/mcp.md shows the table. Those of a kind
 * begin alike. Every other scenario must pass, and so must every check that is not named here.
 */
export const LEFT_OUT_SCENARIOS: Readonly<Record<string, string>> = {
  'tools-call-': 'Calls test tools of the suite’s own server.',
  'prompts-get-': 'Gets test prompts of the suite’s own server.',
  'resources-': 'There are no resources: what there is to read, tools read.',
  'elicitation-': 'Calls test tools of the suite’s own server; nothing is elicited.',
  'input-required-result-': 'Calls test tools of the suite’s own server; no tool asks back.',
  'tasks-': 'An extension: no call becomes a task.',
  'json-schema-2020-12': 'Looks for a test tool of the suite’s own server.',
  'logging-set-level': 'Nothing is logged to clients.',
  'completion-complete': 'Arguments of prompts are not completed.',
  'http-custom-header-server-validation': 'Calls test tools that declare headers of their own.',
};

/** Checks that do not apply in scenarios that otherwise do. */
export const LEFT_OUT_CHECKS: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': 'Needs a test tool of the suite’s own server.',
  'sep-2575-missing-capability-http-400': 'Needs a test tool of the suite’s own server.',
  'sep-2575-http-server-no-independent-requests-on-stream': 'Needs a test tool of the suite’s own server.',
  'sep-2575-server-no-log-without-loglevel': 'Needs a test tool of the suite’s own server.',
  'sep-2549-resources-list-caching-hints': 'There are no resources.',
  'sep-2549-resources-templates-list-caching-hints': 'There are no resources.',
};

/** Whether the scenario, or the kind it is of, is left out. */
export function leftOutAs(scenario: string): string | null {
  const names = Object.keys(LEFT_OUT_SCENARIOS);
  return names.find((name) => (name.endsWith('-') ? scenario.startsWith(name) : scenario === name)) ?? null;
}
