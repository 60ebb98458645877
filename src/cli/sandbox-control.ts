import { request } from 'undici';
import type { CommandContext } from './command.ts';
import { CommandFailure, usageFailure } from './failure.ts';

const DEADLINE_MS = 10_000;

/** What the control API of a simulator answered, as JSON. */
export type ControlAnswer = unknown;

/**
 * Asks the control API of an integration's simulator (docs/sandbox.md#control).
 * @throws CommandFailure with the simulator's reason, or where no such simulator runs
 */
export async function askSimulator(
  { app, url, signal }: CommandContext,
  integration: string,
  call: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: object },
): Promise<ControlAnswer> {
  if (url === null)
    throw new CommandFailure('The simulators live in the running service. Start it first: npm start');
  const simulators = app.sandbox?.reached ?? new Map<string, never>();
  const simulator = simulators.get(integration);
  if (simulator === undefined) {
    const names = [...simulators.keys()];
    throw usageFailure(
      names.length === 0
        ? 'Nothing is simulated here: the sandbox is off.'
        : `Nothing simulates "${integration}" here. Simulated are: ${names.join(', ')}.`,
    );
  }
  const { method, path, body } = call;
  const answer = await request(`${simulator.controlUrl}${path}`, {
    method,
    ...(method === 'POST'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
      : {}),
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
  });
  const text = await answer.body.text();
  const json: unknown = text === '' ? null : JSON.parse(text);
  if (answer.statusCode < 300) return json;
  if (answer.statusCode === 404)
    throw usageFailure(
      `The simulator of ${integration} has nothing at ${method} ${path}. See docs/sandbox.md.`,
    );
  throw usageFailure(`The simulator of ${integration} refused: ${reasonIn(json)}`);
}

function reasonIn(json: unknown): string {
  return typeof json === 'object' && json !== null && 'error' in json
    ? String(json.error)
    : 'no reason given';
}
