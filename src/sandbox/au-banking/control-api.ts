import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuBankingControl } from './control.ts';
import {
  AccountStateBody,
  AppendBody,
  ChangeBody,
  FaultBody,
  InstitutionStatusBody,
  NewCustomerBody,
  NothingBody,
  parseControl,
} from './control-input.ts';
import { ControlError } from './new-row.ts';
import { readBody } from './request.ts';

type ControlCall = {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
  readonly body: string;
};
type ControlRoute = readonly [
  method: string,
  path: RegExp,
  act: (control: AuBankingControl, call: ControlCall) => unknown,
];

/** An action whose body says nothing: empty or `{}`. */
function bare(act: (control: AuBankingControl, id: string) => void): ControlRoute[2] {
  return (control, { params: [id = ''], body }) => {
    parseControl(NothingBody, body);
    act(control, id);
  };
}

/** The JSON face of {@link AuBankingControl}; see docs/sandbox.md. */
const ROUTES: readonly ControlRoute[] = [
  ['GET', /^\/customers$/, (control) => ({ customers: control.customers() })],
  [
    'POST',
    /^\/customers$/,
    (control, { body }) => control.createCustomer(parseControl(NewCustomerBody, body)),
  ],
  [
    'GET',
    /^\/accounts\/([^/]+)\/pending$/,
    (control, { params: [id = ''] }) => ({ pending: control.pendingRows(id) }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/transactions$/,
    (control, { params: [id = ''], body }) => ({
      fiskilIds: control.appendTransactions(id, parseControl(AppendBody, body).transactions),
    }),
  ],
  [
    'POST',
    /^\/accounts\/([^/]+)\/state$/,
    (control, { params: [id = ''], body }) =>
      control.setAccountState(id, parseControl(AccountStateBody, body).state),
  ],
  ['POST', /^\/transactions\/([^/]+)\/settle$/, bare((control, id) => control.settle(id))],
  ['POST', /^\/transactions\/([^/]+)\/drop$/, bare((control, id) => control.drop(id))],
  [
    'POST',
    /^\/transactions\/([^/]+)\/change$/,
    (control, { params: [id = ''], body }) => control.change(id, parseControl(ChangeBody, body)),
  ],
  ['GET', /^\/consents$/, (control) => ({ consents: control.consents() })],
  ['POST', /^\/consents\/([^/]+)\/revoke$/, bare((control, id) => control.revokeConsent(id))],
  ['POST', /^\/consents\/([^/]+)\/expire$/, bare((control, id) => control.expireConsent(id))],
  [
    'POST',
    /^\/institutions\/([^/]+)\/status$/,
    (control, { params: [id = ''], body }) =>
      control.setInstitutionStatus(id, parseControl(InstitutionStatusBody, body).status),
  ],
  ['GET', /^\/faults$/, (control) => ({ faults: control.faults() })],
  ['POST', /^\/faults$/, (control, { body }) => ({ id: control.addFault(parseControl(FaultBody, body)) })],
  ['DELETE', /^\/faults$/, (control) => control.clearFaults()],
  ['DELETE', /^\/faults\/(\d+)$/, (control, { params: [id = ''] }) => control.removeFault(Number(id))],
  ['GET', /^\/requests$/, (control) => ({ requests: control.requests() })],
  ['DELETE', /^\/requests$/, (control) => control.clearRequests()],
  [
    'GET',
    /^\/rows$/,
    (control, { query }) => ({
      rows: control.rowsAtBank(query.get('account_id') ?? undefined, {
        includePending: query.get('include_pending') !== 'false',
      }),
    }),
  ],
  ['POST', /^\/clear$/, bare((control) => control.clear())],
];

/** Serves one control request. Only JSON bodies and only local host names, so that no web page can reach it. */
export async function serveControl(
  control: AuBankingControl,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [status, value] = await answerOf(control, request).catch((error: unknown) =>
    error instanceof ControlError
      ? ([400, { error: error.message }] as const)
      : ([500, { error: 'The sandbox control failed.' }] as const),
  );
  const body = value === undefined ? '' : JSON.stringify(value);
  response.writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' });
  response.end(body);
}

async function answerOf(
  control: AuBankingControl,
  request: IncomingMessage,
): Promise<readonly [number, unknown]> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host))
    return [403, { error: 'Reach the sandbox control by its local address.' }];
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const body = await readBody(request);
  if (request.method === 'POST' && !/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return [415, { error: 'Send application/json.' }];
  }
  for (const [method, path, act] of ROUTES) {
    const match = path.exec(url.pathname);
    if (method !== request.method || !match) continue;
    const params = match.slice(1).map(decodeURIComponent);
    const value = act(control, { params, query: url.searchParams, body });
    return [value === undefined ? 204 : 200, value];
  }
  return [404, { error: 'The sandbox control has no such operation.' }];
}
