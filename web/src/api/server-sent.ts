/** One message of a stream of server-sent events (HTML Living Standard, section 9.2). */
interface ServerSent {
  readonly id: string | null;
  readonly data: string;
}

/**
 * Takes a stream apart as it arrives, wherever it was cut into pieces. Messages without data, such as comments and the
 * waiting time, are left out.
 */
export function serverSentReader(): (piece: string) => readonly ServerSent[] {
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];
  return (piece) => {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    const messages: ServerSent[] = [];
    for (const line of lines) {
      const [name = '', value = ''] = fieldOf(line);
      if (line === '') {
        if (data.length > 0) messages.push({ id, data: data.join('\n') });
        data = [];
      } else if (name === 'data') data.push(value);
      else if (name === 'id') id = value;
    }
    return messages;
  };
}

function fieldOf(line: string): readonly string[] {
  const at = line.indexOf(':');
  return at < 0 ? [line] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
}
