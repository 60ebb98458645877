import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import type { ServerSettings } from './account-sets.ts';
import { Bank } from './bank.ts';
import { SimplefinControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { DEFAULT_LOG_IN } from './personas.ts';
import { ServerQuirks } from './quirks.ts';
import { Quota } from './quota.ts';
import { errorReply, ROOT, routesOf } from './routes.ts';
import { Tokens } from './state.ts';
import { SIMPLEFIN_WIRE } from './wire.ts';

export interface SimplefinSimulator extends StartedSimulator<SimplefinControl> {
  /** The root of the server. */
  readonly baseUrl: string;
}

/** Starts the simulator of a SimpleFIN server: its endpoints, the page for setup tokens, and the control API. */
export async function startSimplefinSimulator(options: SimulatorOptions): Promise<SimplefinSimulator> {
  const tools = new SimulatorTools(options);
  const { now, seed, faults, log, changed } = tools;
  const base = (): string => `${tools.url}${ROOT}`;
  const bank = new Bank(seed, now());
  const tokens = new Tokens();
  const settings: ServerSettings = { version: 2 };
  const quota = new Quota(now);
  const quirks = new ServerQuirks(faults.misbehaviours);
  const control = new SimplefinControl({ bank, tokens, settings, quota, faults, log, now, base, changed });
  const started = await startSimulator(tools, {
    routes: {
      wire: SIMPLEFIN_WIRE,
      routes: routesOf({ bank, tokens, settings, quota, quirks, now, base }),
      handle: (route, request) => route.handle(request),
      refuse: (error) => errorReply(error),
      expireToken: (authorization) => {
        const { user } = tokens.caller(authorization);
        tokens.disable({ user });
      },
    },
    state: { kept: tokens, saved: 'at_once' },
    control: { actions: control, routes: CONTROL_ROUTES },
  });
  return { ...started, baseUrl: base() };
}

/** The simulator. It serves no data files: those follow the banks' standard. */
export async function prepareSimplefin(dataFile: string | null): Promise<PreparedSimulator> {
  return {
    demoPeople: (rows) => {
      if (rows !== null) return [{ bank: null, customer: `rows:${rows}` }];
      return dataFile === null ? [{ bank: null, customer: DEFAULT_LOG_IN }] : [];
    },
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startSimplefinSimulator({ clock, pagesUrl, stateFile, ports });
      const { control, baseUrl, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: {
          SIMPLEFIN_BRIDGE_URL: baseUrl,
          SIMPLEFIN_CREATE_URL: `${pagesUrl ?? simulator.baseUrl}${ROOT}/create`,
          // The sandbox is read as often as people and tests like.
          SIMPLEFIN_REQUESTS: 'unlimited',
        },
        people: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
