import { connect } from 'node:net';
import { say, settingsOf } from './lib/child.ts';

/**
 * Sends the same requests repeatedly on a fixed number of open connections, one of them on each connection and the next
 * only after the answer (no pipelining), and counts answers. Uses sockets directly, because a general client spends
 * more time on a request than the server under test.
 */
const { url, requests, connections, seconds, warmup } = settingsOf();
const target = new URL(String(url));
const sent = Array.isArray(requests) ? requests.map((text) => Buffer.from(String(text))) : [];
const HEAD_END = Buffer.from('\r\n\r\n');
let answered = 0;
let failed = 0;
let asking = true;

const work = Array.from({ length: Number(connections) }, (_, at) =>
  keepAsking(sent[at % sent.length] ?? Buffer.of()),
);
await wait(Number(warmup));
const [before, cpuBefore, started] = [answered, process.cpuUsage(), performance.now()];
await wait(Number(seconds));
const elapsed = (performance.now() - started) / 1000;
const [counted, cpu] = [answered - before, process.cpuUsage(cpuBefore)];
asking = false;
await Promise.all(work);
const ownCpu = (cpu.user + cpu.system) / 1e6 / elapsed;
say({ requests_per_second: counted / elapsed, answered, failed, own_cpu: ownCpu });

function keepAsking(request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(target.port), target.hostname, () => socket.write(request));
    socket.setNoDelay(true);
    let pending: Buffer | null = null;
    socket.on('data', (part: Buffer) => {
      pending = pending === null ? part : Buffer.concat([pending, part]);
      if (!isWhole(pending)) return;
      if (pending.toString('latin1', 9, 12) !== '200') failed += 1;
      pending = null;
      answered += 1;
      if (asking) socket.write(request);
      else socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** Without pipelining what has arrived is one answer or the beginning of one. */
function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.toString('latin1', 0, headEnd))?.[1];
  return length !== undefined && answer.length >= headEnd + HEAD_END.length + Number(length);
}

function wait(forSeconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forSeconds * 1000));
}
