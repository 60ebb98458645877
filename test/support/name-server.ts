import { createSocket } from 'node:dgram';

export interface NameServer {
  /** As OUTBOUND_DNS takes it. */
  readonly address: string;
  /** Names asked for, in order, each once for each family and try. */
  readonly asked: string[];
  close(): void;
}

/** A DNS server on loopback: names under `alive.test` are 127.0.0.1, those under `none.test` nothing, others never get an answer. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = question(query);
    asked.push(name);
    if (!/(alive|none)\.test$/.test(name)) return;
    const wantsV4 = query.readUInt16BE(end) === 1;
    const found = wantsV4 && name.endsWith('alive.test');
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(name.endsWith('none.test') ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    // A pointer to the name of the question, type A, class IN, 60 seconds, four bytes.
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    socket.send(
      Buffer.concat([header, query.subarray(12, end + 4), ...(found ? [answer] : [])]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function question(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}
