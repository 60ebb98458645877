import { createClient } from '@redis/client';
import { within } from './within.ts';

/** A wrong address should be seen at the start, and soon. */
const CONNECT_PATIENCE_MS = 5000;

export type RedisClient = ReturnType<typeof newClient>;

function newClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries: number) => Math.min(5000, 100 * 2 ** tries) },
  });
}

/**
 * Connects to Redis or Valkey, and again whenever the line breaks; meanwhile commands reject at once. Rejects when the
 * server cannot be reached: a wrong REDIS_URL should be seen at the start. `destroy` it at the end.
 */
export async function openRedis(url: string, onError: (error: unknown) => void): Promise<RedisClient> {
  const client = newClient(url);
  client.on('error', onError);
  const connected = client.connect();
  try {
    await within(connected, CONNECT_PATIENCE_MS);
  } catch (error) {
    connected.catch(() => undefined);
    client.destroy();
    throw error;
  }
  return client;
}
