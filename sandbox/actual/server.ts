import type { PreparedSimulator } from '../shared/simulator.ts';
import {
  type SimulatorOptions,
  SimulatorTools,
  type StartedSimulator,
  startSimulator,
} from '../shared/start-simulator.ts';
import { ActualControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal } from './errors.ts';
import { RegisterPages } from './pages.ts';
import { routesOf } from './routes.ts';
import { Sessions } from './sessions.ts';
import { actualState } from './state.ts';
import { World } from './world.ts';

export interface ActualSimulator extends StartedSimulator<ActualControl> {
  /** What a person enters to connect it. */
  readonly secret: string;
}

const PASSWORD = 'sandbox';
/** The largest request that the sync server accepts. */
const MOST_BODY_BYTES = 20 * 1024 * 1024;

/** Starts the simulator of Actual Budget's sync server, of a person's device with its budgets, and the control API. */
export async function startActualSimulator(options: SimulatorOptions = {}): Promise<ActualSimulator> {
  const tools = new SimulatorTools(options);
  const { now, pagesUrl, faults, log, changed } = tools;
  const world = new World(now);
  const sessions = new Sessions(PASSWORD, now);
  const secret = (): string => tools.url.replace('://', `://:${encodeURIComponent(sessions.password)}@`);
  const pages = new RegisterPages(world, pagesUrl, secret);
  const started = await startSimulator(tools, {
    routes: {
      routes: routesOf({ world, sessions, pages, now }),
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
      expireToken: () => sessions.end(),
    },
    // The bytes of a database file differ each time it is written.
    state: { kept: actualState(world, sessions), saved: 'soon_if_changed', close: () => world.close() },
    control: {
      actions: new ActualControl({ world, sessions, faults, log, changed }),
      routes: CONTROL_ROUTES,
    },
  });
  return {
    ...started,
    get secret() {
      return secret();
    },
  };
}

/** The simulator. A destination has no people to link. */
export function prepareActual(): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await startActualSimulator({ clock, pagesUrl, stateFile, ports });
      const { control, url, controlUrl } = simulator;
      return {
        url,
        controlUrl,
        settings: { ACTUAL_SERVER_URL: url },
        secret: simulator.secret,
        people: null,
        received: control,
        control,
        close: () => simulator.close(),
      };
    },
  };
}
