import { SYSTEM_CLOCK } from '../shared/clock.ts';
import { DelayedSave } from '../shared/delayed-save.ts';
import { Faults } from '../shared/faults.ts';
import { RequestLog } from '../shared/request-log.ts';
import { type SimulatorOptions, serveSimulator } from '../shared/serve-simulator.ts';
import { StateFile } from '../shared/state-file.ts';
import { ActualControl } from './control.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { refusal } from './errors.ts';
import { RegisterPages } from './register-pages.ts';
import { routesOf } from './routes.ts';
import { Sessions } from './sessions.ts';
import { actualState } from './state.ts';
import { World } from './world.ts';

export interface ActualSimulator {
  /** Where it serves its pages and its API, without a trailing slash. */
  readonly url: string;
  /** What a person enters to connect it. */
  readonly secret: string;
  readonly controlUrl: string;
  readonly control: ActualControl;
  close(): Promise<void>;
}

export const PASSWORD = 'sandbox';
/** What the sync server takes at most. */
const MOST_BODY_BYTES = 20 * 1024 * 1024;

/** Starts the simulator of Actual Budget's sync server, of a person's device with its budgets, and the control API. */
export async function startActualSimulator(options: SimulatorOptions = {}): Promise<ActualSimulator> {
  const { host = '127.0.0.1', seed = 1, clock = SYSTEM_CLOCK } = options;
  const now = (): number => clock.now();
  let url = '';
  const world = new World(now);
  const sessions = new Sessions(PASSWORD, now);
  const file =
    options.stateFile === undefined ? null : new StateFile(options.stateFile, actualState(world, sessions));
  const save = new DelayedSave(file);
  // The bytes of a database file differ each time it is written, so it is saved only where something happened.
  let hasChanged = false;
  const changed = (): void => {
    hasChanged = true;
    save.changed();
  };
  file?.load();
  const faults = new Faults(seed);
  const log = new RequestLog();
  const control = new ActualControl({ world, sessions, faults, log, changed });
  const secret = (): string => url.replace('://', `://:${encodeURIComponent(sessions.password)}@`);
  const pages = new RegisterPages(world, () => options.pagesUrl ?? url, secret);
  const served = await serveSimulator({
    vendor: {
      routes: routesOf({ world, sessions, pages, now }),
      faults,
      log,
      now,
      changed,
      maxBodyBytes: MOST_BODY_BYTES,
      handle: (route, request) => route.handle(request),
      refuse: refusal,
      expireToken: () => sessions.end(),
    },
    control,
    controlRoutes: CONTROL_ROUTES,
    host,
    ports: options.ports,
    ended: () => {
      if (hasChanged) save.now();
      world.close();
    },
  });
  url = served.url;
  return {
    url,
    get secret() {
      return secret();
    },
    controlUrl: served.controlUrl,
    control,
    close: served.close,
  };
}
