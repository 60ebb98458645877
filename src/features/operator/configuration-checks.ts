import { type Config, type Environment, hasCredentials } from '../../platform/config.ts';
import { allVariables, ROLES } from '../../platform/config-variables.ts';
import type { IntegrationSettings } from '../../platform/integration-settings.ts';
import { type Finding, fail, warn } from './finding.ts';

const NAME = /^[A-Z][A-Z0-9_]{3,63}$/;
/** Shorter names are one or two letters from those of other programs: HOST from HOME, PORT from POST. */
const SHORTEST = 6;
const SERVICE = 'TRIBUTARY_';

/** Variables that are likely meant for the service and are not read by it. Values are not shown. */
export function checkVariables(env: Environment, integrations: readonly IntegrationSettings[]): Finding[] {
  const known = [...allVariables(integrations).keys()];
  const names = new Set(known);
  return Object.keys(env).flatMap((name) => {
    if (!NAME.test(name) || names.has(name)) return [];
    const nearest = names.has(name.replace(SERVICE, ''))
      ? name.replace(SERVICE, '')
      : known.find((one) => one.length >= SHORTEST && isAlmost(name, one));
    if (nearest === undefined) return [];
    return [warn('variables', `${name} is not read; ${nearest} is`)];
  });
}

/** One letter of a short name, two of a longer one: typed wrongly, left out, added, or exchanged with the next. */
function isAlmost(typed: string, known: string): boolean {
  const most = known.length < 8 ? 1 : 2;
  return Math.abs(typed.length - known.length) <= most && distance(typed, known) <= most;
}

/** The Damerau-Levenshtein distance in which no part is edited twice. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const edits = [
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (same ? 0 : 1),
        ...(i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? [at(before, j - 2) + 1] : []),
      ];
      row.push(Math.min(...edits));
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/** Settings that are valid and rarely meant. */
export function checkChoices(config: Config, integrations: readonly IntegrationSettings[]): Finding[] {
  const { databaseUrl, logLevel, roles, sandbox } = config;
  const findings: Finding[] = [];
  const left = ROLES.filter((role) => !roles.includes(role));
  if (databaseUrl === null && left.length > 0)
    findings.push(fail('roles', `no process does the work of ${left.join(' and ')}`));
  const real = integrations.filter((one) => hasCredentials(one, config.integrations)).map(({ name }) => name);
  if (sandbox && real.length > 0)
    findings.push(
      warn('sandbox', `simulated integrations run beside the real credentials of ${real.join(', ')}`),
    );
  if (!sandbox && logLevel === 'debug')
    findings.push(warn('log level', 'LOG_LEVEL=debug writes a line for each step, which fills a disk'));
  if (!sandbox && logLevel === 'silent')
    findings.push(warn('log level', 'LOG_LEVEL=silent hides every failure'));
  return findings;
}
