import { createClient } from '@redis/client';
import { withTimeout } from './with-timeout.ts';

/** A wrong address should fail at the start, and soon. */
const CONNECT_PATIENCE_MS = 5000;
/** How often the server is pinged, and after how long without an answer its connection is dropped. */
const PING_MS = 1000;
const SILENCE_MS = 3000;
const MOST_WAIT_MS = 2000;

export type RedisClient = ReturnType<typeof newClient>;

function newClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (tries: number) => Math.min(MOST_WAIT_MS, 100 * 2 ** tries),
    },
  });
}

/**
 * Connects to Redis or Valkey, and reconnects whenever the connection breaks; until then, commands reject at once.
 * Rejects when the server cannot be reached: a wrong REDIS_URL should fail at the start. `destroy` it at the end.
 */
export async function openRedis(url: string, onError: (error: unknown) => void): Promise<RedisClient> {
  const client = newClient(url);
  client.on('error', onError);
  const connected = client.connect();
  try {
    await withTimeout(connected, CONNECT_PATIENCE_MS);
  } catch (error) {
    connected.catch(() => undefined);
    client.destroy();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Redis cannot be used at the address in REDIS_URL: ${why}`, { cause: error });
  }
  replaceSilent(client, onError);
  return client;
}

/**
 * Reconnects the client when the server is silent. The driver's `socketTimeout` counts writes as activity, so a
 * connection that swallows everything never times out while commands are sent. Stops with the client.
 */
function replaceSilent(client: RedisClient, onError: (error: unknown) => void): void {
  let heardAt = performance.now();
  let replacing = false;
  const heard = (): void => {
    heardAt = performance.now();
  };
  client.on('ready', heard);
  client.on('ping-interval', heard);
  const watching = setInterval(() => {
    if (!client.isReady || performance.now() - heardAt < SILENCE_MS) return;
    onError(new Error(`Redis did not answer within ${SILENCE_MS} ms.`));
    replacing = true;
    client.destroy();
    replacing = false;
    // Failures are reported as errors of the client, and retried.
    client.connect().catch(() => undefined);
  }, PING_MS);
  watching.unref();
  client.on('end', () => {
    if (!replacing) clearInterval(watching);
  });
}
