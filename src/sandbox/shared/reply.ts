import type { Json } from './json.ts';

/** An answer before it is written, so that faults can still spoil it. */
export type Reply = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

export function reply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body, headers: { 'content-type': 'application/json', ...headers } };
}

export function json(status: number, value: Json): Reply {
  return reply(status, JSON.stringify(value));
}

export const NO_CONTENT: Reply = { status: 204, body: '', headers: {} };
