const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)-([0-9A-Fa-f]{4})-([0-9A-Za-z]{16})$/;
/** `trib` in hexadecimal: the client ids of this service begin with it, so that it knows its own messages again. */
export const OWN_CLIENTS = '74726962';
export const CLIENT_CHARACTERS = 16;

/** When a message was made: its parts in one text, by which all messages of a budget are ordered. */
export interface Stamp {
  /** Epoch milliseconds. */
  readonly millis: number;
  /** Tells messages of the same millisecond apart; up to 0xffff. */
  readonly counter: number;
  /** Sixteen characters that no two clients share. */
  readonly client: string;
}

export function writeStamp({ millis, counter, client }: Stamp): string {
  const count = counter.toString(16).toUpperCase().padStart(4, '0');
  return `${new Date(millis).toISOString()}-${count}-${client.padStart(CLIENT_CHARACTERS, '0')}`;
}

/** Null for text that is no stamp. */
export function readStamp(text: string): Stamp | null {
  const [, time = '', counter = '', client = ''] = FORM.exec(text) ?? [];
  const millis = Date.parse(time);
  return millis >= 0 ? { millis, counter: Number.parseInt(counter, 16), client } : null;
}

/** Whether this service made the message. */
export function isOwnStamp(stamp: string): boolean {
  return readStamp(stamp)?.client.startsWith(OWN_CLIENTS) === true;
}
