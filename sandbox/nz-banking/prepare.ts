import type { PreparedSimulator } from '../shared/simulator.ts';
import { startNzBankingSimulator } from './server.ts';

const APP_TOKEN = 'app_token_sandbox';
const APP_SECRET = 'sandbox-secret';

/** The simulator. Bank data files hold banks of another country: where one is given, the demo links nobody here. */
export function prepareNzBanking(dataFile: string | null): PreparedSimulator {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: null, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: null, customer: 'salaried-household' }] : [];
    },
    start: async ({ clock, pagesUrl, stateFile, ports, webhooks }) => {
      const simulator = await startNzBankingSimulator({
        appToken: APP_TOKEN,
        appSecret: APP_SECRET,
        clock,
        pagesUrl,
        ...(webhooks && { webhookUrl: webhooks.url }),
        stateFile,
        ports,
      });
      const { control, url, oauthUrl, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          AKAHU_BASE_URL: url,
          AKAHU_OAUTH_URL: oauthUrl,
          AKAHU_APP_TOKEN: APP_TOKEN,
          AKAHU_APP_SECRET: APP_SECRET,
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
