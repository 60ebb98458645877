import assert from 'node:assert/strict';
import type { Tributary } from '#client';
import { askBridge, basicOf, claimAddress } from '../support/bridge.ts';

export interface BridgeReads {
  /** Everything the bridge answered. */
  readonly answers: string;
  /** What must not be in any file, table or log: the token, and the credentials issued for it. */
  readonly secrets: readonly string[];
}

/** Connects an app that reads, is refused and is revoked; returns its answers and its secrets. */
export async function readOverBridge(v2: Tributary, url: string): Promise<BridgeReads> {
  const made = await v2.simplefinSetupTokens.create({ name: 'Canary' });
  const address = claimAddress(made.setup_token ?? '');
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
  const [app] = await v2.simplefinApps.list().all();
  assert.ok(app);
  await v2.simplefinApps.revoke({ id: app.id });
  assert.equal((await askBridge(url, '/accounts', { headers })).status, 403);
  const token = new URL(address).pathname.split('/').at(-1) ?? '';
  const basic = headers.authorization.replace('Basic ', '');
  return { answers, secrets: [token, made.setup_token ?? '', username, password, basic] };
}
