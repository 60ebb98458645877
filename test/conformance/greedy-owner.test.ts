import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { Agent, request } from 'undici';
import { toolNamed, toolNameOf } from '../../src/operations/mcp/tool-table.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type GreedyList, type GreedyStage, isList } from './greedy-owner-service.ts';

const AT_ONCE = 60;
/** What they list is at a destination, and that of the stage has none; they are refused. */
const ELSEWHERE: ReadonlySet<string> = new Set(['list_destination_resources', 'list_category_mappings']);
/** How many of the lists that read no provider's rows are left to .ci/run. */
const STEP = THOROUGH ? 1 : 3;
/** A tool makes its answer of that of v2, all in one way. */
const TOOL_STEP = THOROUGH ? 1 : 2;
const MOST_MS = 100;
/** A collection of garbage may fall into a turn. */
const ATTEMPTS = 3;

describe('however much one owner reads at once, the process never pauses for 100 ms', () => {
  let child: ChildProcess;
  let stage: GreedyStage;
  const dispatcher = new Agent({ connections: AT_ONCE + 1, bodyTimeout: 30_000 });

  before(async () => {
    child = fork(new URL('./greedy-owner-service.ts', import.meta.url), {
      execArgv: ['--max-semi-space-size=8'],
    });
    stage = await heard<GreedyStage>();
  });
  after(async () => {
    await dispatcher.close();
    child.send('stop');
    await once(child, 'exit');
  });

  const chosen = OPERATIONS.filter(isList).filter(({ tier }, at) => tier === 'heavy' || at % STEP === 0);
  for (const [at, operation] of chosen.entries()) {
    test(`${operation.id} over v2`, async () => {
      const { ask, key } = listOf(operation.id);
      await assertShortPauses(ELSEWHERE.has(operation.id), () =>
        get(key, ask.query === '' ? ask.path : `${ask.path}?${ask.query}`),
      );
    });
    const tool = toolNamed(toolNameOf(operation.id));
    if (tool === null || at % TOOL_STEP !== 0) continue;
    test(`${tool.name} over MCP`, async () => {
      const { tool, key } = listOf(operation.id);
      await assertShortPauses(ELSEWHERE.has(operation.id), () =>
        post(key, { name: tool?.name, arguments: tool?.args }),
      );
    });
  }

  async function assertShortPauses(refused: boolean, ask: () => Promise<number>): Promise<void> {
    const status = await ask();
    assert.ok(refused || status === 200, String(status));
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS && best >= MOST_MS; attempt++) {
      best = Math.min(best, await longestPause(ask));
    }
    assert.ok(best < MOST_MS, `the process paused for ${best.toFixed(0)} ms`);
  }

  /** The longest turn of the process's event loop, in milliseconds. `/healthz` keeps it turning. */
  async function longestPause(ask: () => Promise<number>): Promise<number> {
    child.send('begin');
    await heard();
    let over = false;
    const asked = Promise.all(Array.from({ length: AT_ONCE }, ask)).finally(() => {
      over = true;
    });
    while (!over) {
      await get('', '/healthz');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await asked;
    child.send('end');
    return heard<number>();
  }

  async function get(key: string, path: string): Promise<number> {
    const { statusCode, body } = await request(stage.url + path, {
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'service-version': '2026-10-01.wattle' },
    });
    await body.dump({ limit: 100_000_000 });
    return statusCode;
  }

  async function post(key: string, params: unknown): Promise<number> {
    const { statusCode, body } = await request(`${stage.url}/mcp`, {
      method: 'POST',
      dispatcher,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    await body.dump({ limit: 100_000_000 });
    return statusCode;
  }

  async function heard<T>(): Promise<T> {
    const [message] = await once(child, 'message');
    return message;
  }

  function listOf(id: string): GreedyList {
    return stage.lists.find((list) => list.id === id) ?? assert.fail(id);
  }
});
