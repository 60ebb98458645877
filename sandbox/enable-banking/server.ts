import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { World } from './accounts.ts';
import { Api } from './api.ts';
import { Banks } from './banks.ts';
import { EnableBankingControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal } from './errors.ts';
import { ConsentPages } from './pages.ts';
import { routesOf } from './routes.ts';
import { Sessions } from './sessions.ts';
import { ENABLE_BANKING_WIRE } from './wire.ts';

export interface EnableBankingSimulatorOptions extends SimulatorOptions {
  readonly applicationId: string;
  /** Verifies the tokens of the application. */
  readonly publicKey: KeyObject;
}

export type EnableBankingSimulator = StartedSimulator<EnableBankingControl>;

/** Starts the simulator of Enable Banking: the vendor's API, the banks' consent pages, and the control API. */
export function startEnableBankingSimulator(
  options: EnableBankingSimulatorOptions,
): Promise<EnableBankingSimulator> {
  const tools = new SimulatorTools(options);
  const { now, seed, pagesUrl, faults, log, changed } = tools;
  const banks = new Banks(pagesUrl, faults.misbehaviours);
  const world = new World({ seed, startedAt: now() });
  const sessions = new Sessions(banks, world, now);
  const application = { id: options.applicationId, publicKey: options.publicKey };
  const api = new Api(application, { banks, sessions }, pagesUrl, now);
  const control = new EnableBankingControl({ api, sessions, banks, faults, log }, now, changed);
  return startSimulator(tools, {
    routes: {
      wire: ENABLE_BANKING_WIRE,
      routes: routesOf(api, new ConsentPages({ sessions, banks, world }, pagesUrl)),
      handle: (route, request) => route.handle(request),
      refuse: (error) => refusal(error),
      // The application signs its tokens itself: none is ended by the vendor.
      expireToken: () => undefined,
    },
    state: { kept: sessions.kept, saved: 'at_once' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
}

const APPLICATION_ID = '00000000-0000-4000-8000-00000000eb01';
const BITS = 2048;

/** A key pair of an application: the private key as PEM. */
export async function newKeyPair(): Promise<{ readonly publicKey: KeyObject; readonly privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS });
  return { publicKey, privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

const DEMO_BANK = 'Kuura Bank (FI)';

/** The simulator. Bank data files have banks of another country: if one is given, the demo links no one here. */
export function prepareEnableBanking(dataFile: string | null): PreparedSimulator {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: DEMO_BANK, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: DEMO_BANK, customer: 'household' }] : [];
    },
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const { publicKey, privateKey } = await newKeyPair();
      const simulator = await startEnableBankingSimulator({
        applicationId: APPLICATION_ID,
        publicKey,
        clock,
        pagesUrl,
        stateFile,
        ports,
      });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          ENABLE_BANKING_BASE_URL: url,
          ENABLE_BANKING_APPLICATION_ID: APPLICATION_ID,
          ENABLE_BANKING_PRIVATE_KEY: privateKey,
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
