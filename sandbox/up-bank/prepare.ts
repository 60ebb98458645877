import type { PreparedSimulator } from '../shared/simulator.ts';
import { DEFAULT_HOLDER } from './holder.ts';
import { startUpBankSimulator } from './server.ts';

const TOKEN = 'up:sandbox:token';
const WEBHOOK_SECRET = 'sandbox-webhook-secret';

/** The simulator. It serves no data files: those are of the banks' standard. */
export async function prepareUpBank(dataFile: string | null): Promise<PreparedSimulator> {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: null, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: null, customer: DEFAULT_HOLDER }] : [];
    },
    start: async ({ clock, stateFile, ports, webhooks }) => {
      const simulator = await startUpBankSimulator({
        token: TOKEN,
        webhookSecret: WEBHOOK_SECRET,
        clock,
        stateFile,
        ports,
        ...(webhooks === undefined ? {} : { webhooks }),
      });
      const { control, baseUrl, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { UP_BASE_URL: baseUrl, UP_TOKEN: TOKEN, UP_WEBHOOK_SECRET: WEBHOOK_SECRET },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
