import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { METRICS_PORT_AFTER } from './config.ts';

/**
 * Below the ports that Linux, macOS and Windows use for outgoing connections, and so is the matching port of
 * `/metrics`: otherwise such a connection could take either of them between this search and the bind, or while a
 * service restarts. Above 10080, the last port that browsers and `fetch` block (Fetch standard, section "Port
 * blocking").
 */
const FIRST_PORT = 10_081;
const LAST_PORT = 32_767 - METRICS_PORT_AFTER;
const ATTEMPTS = 50;

/** A port of the address that is free now: the service must know its own address before it listens. */
export async function freePort(host: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const error = await bindError(port, host);
    if (error === null) return port;
    if (error.code !== 'EADDRINUSE' || attempt === ATTEMPTS) throw error;
  }
}

function bindError(port: number, host: string): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
