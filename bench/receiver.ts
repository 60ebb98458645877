import { createServer } from 'node:http';
import { say, settingsOf } from './lib/child.ts';

settingsOf();

/** Accepts deliveries and reports on request how many rows have arrived for an address; it checks nothing else. */
const rows = new Map<string, number>();
const COUNT = /"new_count":(\d+)/;
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (request.method === 'GET') {
    response.end(JSON.stringify({ rows: rows.get(path) ?? 0 }));
    return;
  }
  let tail = '';
  request.on('data', (part: Buffer) => {
    tail = (tail + part.toString('latin1')).slice(-300);
  });
  request.on('end', () => {
    rows.set(path, (rows.get(path) ?? 0) + Number(COUNT.exec(tail)?.[1] ?? 0));
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') say({ url: `http://127.0.0.1:${address.port}` });
});
