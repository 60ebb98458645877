import type { IncomingMessage, ServerResponse } from 'node:http';
import { ControlError, type SimulatorControl } from './control.ts';
import { FaultBody, NothingBody, parseControl, parseMisbehaviour } from './control-input.ts';
import { readBody } from './request.ts';
import { StatementBody } from './statement.ts';

type ControlCall = {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
};

/** One operation of a control API: method, path, and what it does. */
export type ControlRoute<Control> = readonly [
  method: string,
  path: RegExp,
  act: (control: Control, call: ControlCall) => unknown,
];

/** An action without input: its body is empty or `{}`. */
export function bare<Control>(act: (control: Control, id: string) => void): ControlRoute<Control>[2] {
  return (control, { params: [id = ''], body }) => {
    parseControl(NothingBody, body);
    act(control, id);
  };
}

/** What every simulator's control API has (docs/sandbox.md). */
const COMMON: readonly ControlRoute<SimulatorControl>[] = [
  ['GET', /^\/faults$/, (control) => ({ faults: control.faults() })],
  ['POST', /^\/faults$/, (control, { body }) => ({ id: control.addFault(parseControl(FaultBody, body)) })],
  ['DELETE', /^\/faults$/, (control) => control.clearFaults()],
  ['DELETE', /^\/faults\/(\d+)$/, (control, { params: [id = ''] }) => control.removeFault(Number(id))],
  ['GET', /^\/misbehaviours$/, (control) => ({ misbehaviours: control.misbehaviours() })],
  [
    'POST',
    /^\/misbehaviours$/,
    (control, { body }) => ({
      id: control.addMisbehaviour(parseMisbehaviour(body, (name) => control.hasQuirk(name))),
    }),
  ],
  ['DELETE', /^\/misbehaviours$/, (control) => control.clearMisbehaviours()],
  [
    'DELETE',
    /^\/misbehaviours\/(\d+)$/,
    (control, { params: [id = ''] }) => control.removeMisbehaviour(Number(id)),
  ],
  ['GET', /^\/statement$/, (control) => ({ accounts: control.shown() })],
  [
    'PUT',
    /^\/statement$/,
    (control, { body }) => control.setStatements(parseControl(StatementBody, body).accounts),
  ],
  ['DELETE', /^\/statement$/, (control) => control.clearStatements()],
  ['GET', /^\/requests$/, (control) => ({ requests: control.requests() })],
  ['DELETE', /^\/requests$/, (control) => control.clearRequests()],
  ['POST', /^\/clear$/, bare((control) => control.clear())],
];

/** Serves one control request. Only JSON bodies and only local host names, so that no web page can reach it. */
export async function serveControl<Control extends SimulatorControl>(
  control: Control,
  routes: readonly ControlRoute<Control>[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [status, value] = await answerOf(control, [...routes, ...COMMON], request).catch((error: unknown) =>
    error instanceof ControlError
      ? ([400, { error: error.message }] as const)
      : ([500, { error: 'The sandbox control failed.' }] as const),
  );
  const body = value === undefined ? '' : JSON.stringify(value);
  response.writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' });
  response.end(body);
}

async function answerOf<Control>(
  control: Control,
  routes: readonly ControlRoute<Control>[],
  request: IncomingMessage,
): Promise<readonly [number, unknown]> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host))
    return [403, { error: 'Reach the sandbox control by its local address.' }];
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const body = await readBody(request);
  if (
    (request.method === 'POST' || request.method === 'PUT') &&
    !/^application\/json\b/.test(request.headers['content-type'] ?? '')
  ) {
    return [415, { error: 'Send application/json.' }];
  }
  for (const [method, path, act] of routes) {
    const match = path.exec(url.pathname);
    if (method !== request.method || !match) continue;
    const params = match.slice(1).map(decodeURIComponent);
    const value = await act(control, { params, query: url.searchParams, body });
    return [value === undefined ? 204 : 200, value];
  }
  return [404, { error: 'The sandbox control has no such operation.' }];
}
