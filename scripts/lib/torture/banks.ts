import { startAuBankingSimulator } from '../../../sandbox/au-banking/server.ts';
import { startBrokerageSimulator } from '../../../sandbox/brokerage/server.ts';
import { newKeyPair, startEnableBankingSimulator } from '../../../sandbox/enable-banking/server.ts';
import { startNzBankingSimulator } from '../../../sandbox/nz-banking/server.ts';
import type { People } from '../../../sandbox/shared/simulator.ts';
import { startSimplefinSimulator } from '../../../sandbox/simplefin/server.ts';
import { startUpBankSimulator } from '../../../sandbox/up-bank/server.ts';
import type { SyncType } from '../../../src/vocabulary/syncs.ts';

/** A simulated bank outside the service, which survives when the service is killed. */
export interface TorturedBank {
  /** The service's settings for it, by variable. */
  readonly env: Readonly<Record<string, string>>;
  /** By the name of the institutions list; null if the vendor's own page asks for the bank. */
  readonly bank: string | null;
  readonly people: People;
  /** The type of sync with which a webhook accepts its rows. */
  readonly delivers: SyncType;
  /** How many rows there are to deliver. */
  rows(): number;
  close(): Promise<void>;
}

/** Every provider. From a broker, a webhook takes only the trades. */
export const TORTURED = {
  au_banking: async (): Promise<TorturedBank> => {
    const simulator = await startAuBankingSimulator({ clientId: 'torture', clientSecret: 'torture' });
    const env = {
      FISKIL_BASE_URL: simulator.url,
      FISKIL_CLIENT_ID: 'torture',
      FISKIL_CLIENT_SECRET: 'torture',
    };
    const { control: people } = simulator;
    return {
      ...transactionsOf(people),
      env,
      bank: 'Banking Sandbox Data Holder',
      close: () => simulator.close(),
    };
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
    return { ...transactionsOf(simulator.control), env, bank: null, close: () => simulator.close() };
  },
  brokerage: async (): Promise<TorturedBank> => {
    const key = { clientId: 'torture', consumerKey: 'torture' };
    // Each start asks again, and more kills fit into a minute than the vendor would answer.
    const settings = { requestsPerMinute: 1_000_000 };
    const simulator = await startBrokerageSimulator({ ...key, settings });
    const { url, control } = simulator;
    const env = {
      SNAPTRADE_BASE_URL: url,
      SNAPTRADE_CLIENT_ID: key.clientId,
      SNAPTRADE_CONSUMER_KEY: key.consumerKey,
    };
    const rows = (): number => {
      const accounts = control.connections().flatMap((connection) => connection.accounts);
      return accounts.reduce((sum, account) => sum + control.activitiesOf(account), 0);
    };
    return { env, bank: null, people: control, delivers: 'trades', rows, close: () => simulator.close() };
  },
  up_bank: async (): Promise<TorturedBank> => {
    const simulator = await startUpBankSimulator({ token: 'up:torture', webhookSecret: 'torture' });
    const env = { UP_BASE_URL: simulator.baseUrl, UP_TOKEN: 'up:torture' };
    return { ...transactionsOf(simulator.control), env, bank: null, close: () => simulator.close() };
  },
  simplefin: async (): Promise<TorturedBank> => {
    const simulator = await startSimplefinSimulator({});
    // It needs no credentials, so the sandbox would simulate it.
    const env = {
      SANDBOX: 'off',
      SIMPLEFIN_BRIDGE_URL: simulator.baseUrl,
      SIMPLEFIN_CREATE_URL: `${simulator.baseUrl}/create`,
      SIMPLEFIN_REQUESTS: 'unlimited',
    };
    return { ...transactionsOf(simulator.control), env, bank: null, close: () => simulator.close() };
  },
  enable_banking: async (): Promise<TorturedBank> => {
    const { publicKey, privateKey } = await newKeyPair();
    const applicationId = '00000000-0000-4000-8000-00000000eb02';
    const simulator = await startEnableBankingSimulator({ applicationId, publicKey });
    const env = {
      ENABLE_BANKING_BASE_URL: simulator.url,
      ENABLE_BANKING_APPLICATION_ID: applicationId,
      ENABLE_BANKING_PRIVATE_KEY: privateKey,
      // Each start reads again, and a bank allows four a day.
      LIMIT_UNATTENDED_READS: '1000',
    };
    return {
      ...transactionsOf(simulator.control),
      env,
      bank: 'Kuura Bank (FI)',
      close: () => simulator.close(),
    };
  },
} as const;

/** A customer who has shared only the account of rows. */
function transactionsOf(people: People): Pick<TorturedBank, 'people' | 'delivers' | 'rows'> {
  return { people, delivers: 'transactions', rows: () => people.shared().rows };
}

export type TorturedProvider = keyof typeof TORTURED;

export function isTortured(name: string): name is TorturedProvider {
  return Object.hasOwn(TORTURED, name);
}
