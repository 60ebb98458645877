import { createServer } from 'node:http';
import { INTEGRATIONS } from '../src/app/integrations.ts';
import { say, settingsOf } from './lib/child.ts';

const { type, pagesUrl, stateFile } = settingsOf();

/**
 * The simulator of a destination in a separate process, so that its rows are not in the memory that is measured. Its
 * clock can be moved ahead, so that quotas of hours do not take hours.
 */
const integration = INTEGRATIONS.find(({ row }) => row.name === type)?.simulator;
if (integration === undefined || integration === null)
  throw new Error(`There is no simulator of ${String(type)}.`);
let aheadMs = 0;
const simulator = await (await integration.prepare(null)).start({
  clock: { now: () => Date.now() + aheadMs },
  pagesUrl: String(pagesUrl),
  stateFile: String(stateFile),
});

const READS = /^\/(?:select|begin|commit|rollback|savepoint|release|set|show)$/;

/**
 * `POST /<milliseconds>` moves the time; `GET /statements` returns how many a database has received since the last
 * call, and `GET /` how many rows there are, and how many of them twice.
 */
const control = createServer((request, response) => {
  if (request.method === 'POST') {
    aheadMs = Math.max(aheadMs, Number(request.url?.slice(1)));
    simulator.control.clearRequests();
    response.end();
    return;
  }
  if (request.url === '/statements') {
    const all = simulator.control.requests();
    const reads = all.filter(({ path }) => READS.test(path)).length;
    simulator.control.clearRequests();
    response.end(JSON.stringify({ reads, writes: all.length - reads }));
    return;
  }
  const ids = simulator.received?.rows().map(({ id }) => id) ?? [];
  response.end(JSON.stringify({ rows: ids.length, twice: ids.length - new Set(ids).size }));
});
control.listen(0, '127.0.0.1', () => {
  const address = control.address();
  if (address !== null && typeof address === 'object')
    say({
      url: simulator.url,
      secret: simulator.secret,
      settings: simulator.settings,
      control: `http://127.0.0.1:${address.port}`,
    });
});
