import { request } from 'undici';
import type { PreparedService } from './prepared-service.ts';
import { type Ratio, type Round, ratiosOf } from './ratio.ts';
import { loaded } from './requests.ts';

const PATH = '/mcp';
const V1_PATH = '/v1/accounts';
const CALL = { name: 'list_accounts', arguments: {} };
const ERAS = {
  '2025-11-25': { headers: { 'mcp-protocol-version': '2025-11-25' }, params: CALL },
  '2026-07-28': {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': CALL.name,
    },
    params: {
      ...CALL,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
} as const;

/**
 * The cost of a call of `list_accounts` on MCP, in either era, compared with the same request of v1: time per request,
 * under load.
 */
export async function compareAgents(
  { service, secret }: PreparedService,
  rounds: number,
  seconds: number,
): Promise<Ratio[]> {
  const authorization = `Bearer ${secret}`;
  const found: Ratio[] = [];
  for (const [revision, { headers: own, params }] of Object.entries(ERAS)) {
    const headers = {
      authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...own,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const sample = await request(service.url + PATH, { method: 'POST', headers, body });
    const answer = await sample.body.text();
    if (sample.statusCode !== 200 || !answer.includes('"structuredContent"')) {
      throw new Error(`${PATH} answered ${sample.statusCode}: ${answer}`);
    }
    const ours = async (): Promise<number> =>
      1e6 / (await loaded({ url: service.url, path: PATH, method: 'POST', headers, body, seconds }));
    const v1 = async (): Promise<number> =>
      1e6 / (await loaded({ url: service.url, path: V1_PATH, headers: { authorization }, seconds }));
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) {
        measured.push({ ours: await ours(), reference: await v1() });
      } else {
        const reference = await v1();
        measured.push({ ours: await ours(), reference });
      }
    }
    const note = `${Buffer.byteLength(answer)} bytes of body; GET ${V1_PATH}`;
    found.push(ratiosOf(`MCP list_accounts in ${revision}, time of a call`, 'µs', note, measured));
  }
  return found;
}
