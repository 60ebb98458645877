import assert from 'node:assert/strict';
import type { V2Client } from '../../src/cli/demo/v2-client.ts';
import { askBridge, basicOf, claimAddress } from '../support/bridge.ts';

export interface BridgeReads {
  /** Everything the bridge answered. */
  readonly answers: string;
  /** What must be in no file, table or log: the token, and the credentials that came for it. */
  readonly secrets: readonly string[];
}

/** Connects an app and has it read, be refused and be revoked; its answers and its secrets. */
export async function readOverBridge(v2: V2Client, url: string): Promise<BridgeReads> {
  const made = await v2.post('/v2/simplefin_setup_tokens', { name: 'Canary' });
  const address = claimAddress(made.text('setup_token'));
  const claimed = await (await fetch(address, { method: 'POST' })).text();
  assert.equal((await fetch(address, { method: 'POST' })).status, 403);
  const { username, password } = new URL(claimed);
  const headers = { authorization: basicOf(claimed) };
  let answers = '';
  const start = Date.parse('2024-01-01') / 1000;
  for (const query of [`start-date=${start}&pending=1`, 'balances-only=1', 'start-date=soon', 'account=x']) {
    const answer = await askBridge(url, `/accounts?${query}`, { headers });
    assert.ok(answer.status < 500, answer.text);
    answers += answer.text;
  }
  const wrong = { authorization: `Basic ${Buffer.from(`${username}:wrong`).toString('base64')}` };
  assert.equal((await askBridge(url, '/accounts', { headers: wrong })).status, 403);
  const [app] = (await v2.get('/v2/simplefin_apps')).items('data');
  assert.ok(app);
  await v2.exchange('DELETE', `/v2/simplefin_apps/${app.text('id')}`, null);
  assert.equal((await askBridge(url, '/accounts', { headers })).status, 403);
  const token = new URL(address).pathname.split('/').at(-1) ?? '';
  const basic = headers.authorization.replace('Basic ', '');
  return { answers, secrets: [token, made.text('setup_token'), username, password, basic] };
}
