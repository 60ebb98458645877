import type { Reading } from './reading.ts';

/** The lines of a text without their ends (CR LF, LF or CR), with a turn of the event loop every few thousand of them. */
export async function* textLines(text: string, reading: Reading): AsyncGenerator<readonly string[]> {
  let lines: string[] = [];
  let at = 0;
  let carriage = text.indexOf('\r');
  let feed = text.indexOf('\n');
  while (at < text.length) {
    if (carriage >= 0 && carriage < at) carriage = text.indexOf('\r', at);
    if (feed >= 0 && feed < at) feed = text.indexOf('\n', at);
    const end = carriage < 0 ? feed : feed < 0 ? carriage : Math.min(carriage, feed);
    const stop = end < 0 ? text.length : end;
    lines.push(text.slice(at, stop));
    const worked = reading.worked(stop - at + 1);
    at = stop + (text.startsWith('\r\n', stop) ? 2 : 1);
    if (worked) {
      yield lines;
      lines = [];
      await reading.pause();
    }
  }
  if (lines.length > 0) yield lines;
}
