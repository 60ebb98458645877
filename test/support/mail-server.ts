import { createServer, type Socket } from 'node:net';

export interface MailServer {
  readonly url: string;
  /** Every mail that was sent: to whom, and its text as it came. */
  readonly mails: readonly Sent[];
  /** Those that are no notifications: each was asked for. */
  readonly letters: readonly Sent[];
  /** What it answers to the text of a mail from now on, by that text; null to close the connection instead. */
  answerWith(answer: (text: string) => string | null): void;
}

interface Sent {
  readonly to: string;
  readonly text: string;
}

/** A mail server that takes everything (RFC 5321), or with `silent` takes connections and says nothing. */
export async function openMailServer(
  t: { readonly after: (close: () => void) => void },
  silent = false,
): Promise<MailServer> {
  const mails: { to: string; text: string }[] = [];
  let answer: (text: string) => string | null = () => '250 taken';
  const take = (mail: { to: string; text: string }): string | null => {
    mails.push(mail);
    return answer(mail.text);
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (!silent) converse(socket, take);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    answerWith(next) {
      answer = next;
    },
    get letters() {
      return mails.filter(({ text }) => !/^Auto-Submitted:/m.test(text));
    },
  };
}

function converse(socket: Socket, take: (mail: { to: string; text: string }) => string | null): void {
  let [buffer, to, reading] = ['', '', false];
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 mail.example.test');
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = reading ? '\r\n.\r\n' : '\r\n';
      const at = buffer.indexOf(end);
      if (at === -1) return;
      const line = buffer.slice(0, at);
      buffer = buffer.slice(at + end.length);
      if (reading) {
        const answer = take({ to, text: line.replaceAll('=\r\n', '').replaceAll('=3D', '=') });
        reading = false;
        if (answer === null) socket.destroy();
        else say(answer);
      } else if (/^rcpt to:/i.test(line)) {
        to = /<([^>]*)>/.exec(line)?.[1] ?? '';
        say('250 ok');
      } else if (/^data/i.test(line)) {
        reading = true;
        say('354 go on');
      } else if (/^quit/i.test(line)) {
        socket.end('221 bye\r\n');
      } else say('250 ok');
    }
  });
}
