import { setTimeout } from 'node:timers/promises';
import { askServer } from './control/control-client.ts';
import type { CommandOutput } from './control/control-protocol.ts';
import { CommandFailure, EXIT } from './failure.ts';

const COMMAND = 'events tail';
const RECONNECT_MS = 1_000;

export interface TailArguments {
  readonly account: string | undefined;
  readonly type: readonly string[] | undefined;
  readonly since: string | undefined;
  readonly json: boolean;
}

export interface TailOutput {
  readonly print: (lines: string) => void;
  readonly note: (message: string) => void;
}

/**
 * `events tail`: prints events as they happen, one per line, until `signal` aborts. If the server was unreachable, it
 * continues where it stopped. Returns the exit code.
 * @throws CommandFailure if no server runs on the data directory, or it refuses the first request
 */
export async function tailEvents(
  dataDir: string,
  { json, ...asked }: TailArguments,
  { print, note }: TailOutput,
  signal: AbortSignal,
): Promise<number> {
  let args: Readonly<Record<string, unknown>> = asked;
  let connected = false;
  let reached = false;
  while (!signal.aborted) {
    const output = await askServer(dataDir, { command: COMMAND, args }, signal).catch((error: unknown) => {
      if (signal.aborted || reached) return null;
      throw error;
    });
    if (signal.aborted) break;
    if (output === null) {
      if (!reached) throw noServer(dataDir);
      if (connected) note('Server unreachable. Waiting for it.');
      connected = false;
      await setTimeout(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    [connected, reached] = [true, true];
    const { position, events } = answered(output);
    if (position !== null) args = { ...asked, position };
    if (events.length > 0)
      print(json ? events.map((event) => JSON.stringify(event)).join('\n') : output.text);
  }
  return EXIT.ok;
}

/** Written by hand, because a schema library takes longer to load than everything else here. */
function answered({ result }: CommandOutput): {
  readonly position: number | null;
  readonly events: readonly unknown[];
} {
  if (typeof result === 'object' && result !== null && 'position' in result && 'events' in result) {
    const { position, events } = result;
    if ((typeof position === 'number' || position === null) && Array.isArray(events)) {
      return { position, events };
    }
  }
  throw new CommandFailure(
    `The running server answered ${COMMAND} in a format this version does not know. Restart it with this version.`,
  );
}

function noServer(dataDir: string): CommandFailure {
  return new CommandFailure(
    `No server runs on the data directory ${dataDir}, so nothing happens there. Start one with tributary serve, or set DATA_DIR to that of the one that runs.`,
  );
}
