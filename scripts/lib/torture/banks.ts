import { startAuBankingSimulator } from '../../../src/sandbox/au-banking/server.ts';
import { startNzBankingSimulator } from '../../../src/sandbox/nz-banking/server.ts';
import type { People } from '../../../src/sandbox/shared/people.ts';
import { startUpBankSimulator } from '../../../src/sandbox/up-bank/server.ts';

/** A simulated bank outside the service, which outlives its deaths. */
export interface TorturedBank {
  /** The service's settings for it, by variable. */
  readonly env: Readonly<Record<string, string>>;
  /** By the name of the institutions list; null where the vendor's own page asks for the bank. */
  readonly bank: string | null;
  readonly people: People;
  close(): Promise<void>;
}

/** The providers whose rows can be delivered today; brokerage data goes to spreadsheets only. */
export const TORTURED = {
  au_banking: async (): Promise<TorturedBank> => {
    const simulator = await startAuBankingSimulator({ clientId: 'torture', clientSecret: 'torture' });
    const env = {
      FISKIL_BASE_URL: simulator.url,
      FISKIL_CLIENT_ID: 'torture',
      FISKIL_CLIENT_SECRET: 'torture',
    };
    const { control: people } = simulator;
    return { env, bank: 'Banking Sandbox Data Holder', people, close: () => simulator.close() };
  },
  nz_banking: async (): Promise<TorturedBank> => {
    const app = { appToken: 'app_token_torture', appSecret: 'torture' };
    const simulator = await startNzBankingSimulator(app);
    const env = {
      AKAHU_BASE_URL: simulator.url,
      AKAHU_OAUTH_URL: simulator.oauthUrl,
      AKAHU_APP_TOKEN: app.appToken,
      AKAHU_APP_SECRET: app.appSecret,
    };
    return { env, bank: null, people: simulator.control, close: () => simulator.close() };
  },
  up_bank: async (): Promise<TorturedBank> => {
    const simulator = await startUpBankSimulator({ token: 'up:torture', webhookSecret: 'torture' });
    const env = { UP_BASE_URL: simulator.baseUrl, UP_TOKEN: 'up:torture' };
    return { env, bank: null, people: simulator.control, close: () => simulator.close() };
  },
} as const;

export type TorturedProvider = keyof typeof TORTURED;

export function isTortured(name: string): name is TorturedProvider {
  return Object.hasOwn(TORTURED, name);
}
