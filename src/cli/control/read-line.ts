import type { Socket } from 'node:net';
import { CONTROL_LINE_BYTES } from './control-protocol.ts';

/**
 * The first line the other side sends, without its end. Null when the connection ends first.
 * @throws RangeError when the line is longer than either side may send
 */
export function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void) => {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      act();
    };
    const onEnd = () => settle(() => resolve(null));
    const onError = (error: Error) => settle(() => reject(error));
    const onData = (part: Buffer) => {
      const end = part.indexOf(0x0a);
      parts.push(end === -1 ? part : part.subarray(0, end));
      size += parts.at(-1)?.length ?? 0;
      if (size > CONTROL_LINE_BYTES) {
        settle(() => reject(new RangeError('The line is longer than a control message may be.')));
      } else if (end !== -1) settle(() => resolve(Buffer.concat(parts).toString('utf8')));
    };
    socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
  });
}
