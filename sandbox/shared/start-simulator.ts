import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { SimulatorControl } from './control.ts';
import { type ControlRoute, serveControl } from './control-api.ts';
import { Faults } from './faults.ts';
import { addressOf, listen, shut } from './listener.ts';
import { RequestLog } from './request-log.ts';
import type { RoutePath } from './router.ts';
import {
  type PreparedSimulator,
  type Simulator,
  type SimulatorClock,
  type SimulatorPorts,
  SYSTEM_CLOCK,
} from './simulator.ts';
import { DelayedSave, type KeptState, StateFile } from './state-file.ts';
import { type SimulatedVendor, serveVendor } from './vendor-http.ts';

/** What every simulator can be started with. */
export interface SimulatorOptions {
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** The vendor address that clients use, if a proxy is in front; default the bound address. No trailing slash. */
  readonly publicUrl?: string;
  /** Where browsers reach the pages, if something else serves them; default `publicUrl`. No trailing slash. */
  readonly pagesUrl?: string | undefined;
  /** Same seed, same ids, rows and faults; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch milliseconds; default the system clock. */
  readonly clock?: SimulatorClock;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Where to store between runs what people agreed to and what it received; default nowhere. */
  readonly stateFile?: string;
}

/** What the parts of every simulator are built with, before it listens. */
export class SimulatorTools {
  readonly options: SimulatorOptions;
  readonly host: string;
  readonly seed: number;
  readonly faults: Faults;
  readonly log = new RequestLog();
  readonly closing = new AbortController();
  /** Empty until it listens. */
  url: string;
  /** Saves the state. */
  save: () => void = () => undefined;

  constructor(options: SimulatorOptions) {
    this.options = options;
    this.host = options.host ?? '127.0.0.1';
    this.seed = options.seed ?? 1;
    this.faults = new Faults(this.seed);
    this.url = options.publicUrl ?? '';
  }

  /** Sandbox time, epoch milliseconds. */
  readonly now = (): number => (this.options.clock ?? SYSTEM_CLOCK).now();

  /** Where browsers reach the pages, without a trailing slash. */
  readonly pagesUrl = (): string => this.options.pagesUrl ?? this.url;

  /** Called whenever something that survives a restart may have changed. */
  readonly changed = (): void => this.save();

  /** Where people may be sent back to, if something else serves the pages. */
  get returnOrigin(): string | undefined {
    const { pagesUrl } = this.options;
    return pagesUrl === undefined ? undefined : new URL(pagesUrl).origin;
  }
}

/** The vendor's routes, and how they are answered and refused. */
export type VendorRoutes<Route extends RoutePath> = Omit<
  SimulatedVendor<Route>,
  'faults' | 'log' | 'now' | 'closing' | 'changed'
>;

/** The state of a simulator between runs. */
export interface SimulatorState {
  /** What survives a restart; null if the simulator stores it on its own. */
  readonly kept: KeptState | null;
  /**
   * `at_once`: with each change. `soon`: what it has received may be megabytes, so after several changes.
   * `soon_if_changed`: the text also differs each time it is read, so that when the simulator closes it is only saved
   * after a change.
   */
  readonly saved: 'at_once' | 'soon' | 'soon_if_changed';
  /** Stops background work, once nothing more is served and the state is saved. */
  readonly close?: () => Promise<void> | void;
}

/** The three parts of a simulator. */
export interface SimulatorParts<Route extends RoutePath, Control extends SimulatorControl> {
  /** Those of the vendor's API and pages; a function for an integration that only serves pages. */
  readonly routes:
    | VendorRoutes<Route>
    | ((request: IncomingMessage, response: ServerResponse) => Promise<void>);
  readonly state: SimulatorState;
  readonly control: { readonly actions: Control; readonly routes: readonly ControlRoute<Control>[] };
}

/** A simulator that listens. Addresses have no trailing slash. */
export interface StartedSimulator<Control extends SimulatorControl> {
  /** Where the vendor's API and pages are. */
  readonly url: string;
  readonly controlUrl: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** Restores the state of an earlier run, then serves the vendor's API and pages, and the control API. */
export async function startSimulator<Route extends RoutePath, Control extends SimulatorControl>(
  tools: SimulatorTools,
  { routes, state, control }: SimulatorParts<Route, Control>,
): Promise<StartedSimulator<Control>> {
  const { host, faults, log, now, changed, closing } = tools;
  const { stateFile, ports } = tools.options;
  const { kept, saved } = state;
  const file = stateFile === undefined || kept === null ? null : new StateFile(stateFile, kept);
  const soon = new DelayedSave(file);
  let hasChanged = false;
  file?.load();
  tools.save = () => {
    hasChanged = true;
    if (saved === 'at_once') file?.save();
    else soon.changed();
  };
  const served =
    typeof routes === 'function'
      ? routes
      : (request: IncomingMessage, response: ServerResponse) =>
          serveVendor({ ...routes, faults, log, now, changed, closing: closing.signal }, request, response);
  const open = new AsyncDisposableStack();
  let servers: readonly [Server, Server];
  try {
    open.defer(() => state.close?.());
    const vendorServer = await listen(served, host, ports?.vendor ?? 0);
    open.defer(() => shut(vendorServer));
    const controlServer = await listen(
      (request, response) => serveControl(control.actions, control.routes, request, response),
      host,
      ports?.control ?? 0,
    );
    servers = [vendorServer, controlServer];
  } catch (error) {
    // A port of an earlier run may be taken by another program.
    await open.disposeAsync();
    throw error;
  }
  tools.url ||= addressOf(servers[0], host);
  return {
    url: tools.url,
    controlUrl: addressOf(servers[1], host),
    control: control.actions,
    close: async () => {
      closing.abort();
      await Promise.all(servers.map(shut));
      if (saved !== 'soon_if_changed' || hasChanged) soon.now();
      await state.close?.();
    },
  };
}

/** What the simulator of a vendor with OAuth is started with. */
export interface OAuthSimulatorOptions extends SimulatorOptions {
  /** Of the only application that it knows. */
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * The simulator of a destination at which people sign in with OAuth. The demo links no one there: rows are written to
 * it.
 *
 * @param shown what adapters need to reach it, and what it received
 */
export function preparedDestination<Started extends StartedSimulator<SimulatorControl>>(
  client: Pick<OAuthSimulatorOptions, 'clientId' | 'clientSecret'>,
  start: (options: OAuthSimulatorOptions) => Promise<Started>,
  shown: (simulator: Started, pagesUrl: string) => Required<Pick<Simulator, 'settings' | 'received'>>,
): PreparedSimulator {
  return {
    demoPeople: () => [],
    start: async ({ clock, pagesUrl, stateFile, ports }) => {
      const simulator = await start({ ...client, clock, pagesUrl, stateFile, ports });
      const { url, controlUrl, control } = simulator;
      const close = () => simulator.close();
      return { url, controlUrl, control, close, people: null, ...shown(simulator, pagesUrl ?? url) };
    },
  };
}
