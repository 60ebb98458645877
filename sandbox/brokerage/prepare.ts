import type { PreparedSimulator } from '../shared/simulator.ts';
import { startBrokerageSimulator } from './server.ts';

const CLIENT_ID = 'sandbox-client';
const CONSUMER_KEY = 'sandbox-consumer-key';

/** The simulator, which serves no data files: those are of banks. */
export async function prepareBrokerage(): Promise<PreparedSimulator> {
  return {
    demoPeople: (rows) => [{ bank: null, customer: rows === null ? 'self-directed' : `rows:${rows}` }],
    start: async ({ clock, pagesUrl, stateFile, ports, webhooks }) => {
      const simulator = await startBrokerageSimulator({
        clientId: CLIENT_ID,
        consumerKey: CONSUMER_KEY,
        clock,
        pagesUrl,
        stateFile,
        ports,
        ...(webhooks?.automatic && { webhookUrl: webhooks.url }),
      });
      const { url, controlUrl, control } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          SNAPTRADE_BASE_URL: url,
          SNAPTRADE_CLIENT_ID: CLIENT_ID,
          SNAPTRADE_CONSUMER_KEY: CONSUMER_KEY,
          SNAPTRADE_KEY_TYPE: 'commercial',
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
