import type { SimulatorClock } from './clock.ts';
import type { SimulatorControl } from './control.ts';
import { type ControlRoute, serveControl } from './control-api.ts';
import { addressOf, listen, shut } from './listener.ts';
import type { RoutePath } from './router.ts';
import type { SimulatorPorts } from './simulator.ts';
import { type SimulatedVendor, serveVendor } from './vendor-http.ts';

/** What every simulator can be started with. */
export interface SimulatorOptions {
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string;
  /** Where browsers reach the pages, when something else serves them; default the bound address. No trailing slash. */
  readonly pagesUrl?: string;
  /** Same seed, same ids, rows and faults; default 1. */
  readonly seed?: number;
  /** Sandbox time, epoch milliseconds; default the system clock. */
  readonly clock?: SimulatorClock;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Where to store between runs what people agreed to and what it received; default nowhere. */
  readonly stateFile?: string;
}

/** The two servers of a simulator, and what is done once both have ended. */
export interface ServedSimulator<Route extends RoutePath, Control extends SimulatorControl> {
  readonly vendor: Omit<SimulatedVendor<Route>, 'closing'>;
  readonly control: Control;
  readonly controlRoutes: readonly ControlRoute<Control>[];
  /** Address to bind; default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: any that are free. */
  readonly ports?: SimulatorPorts | undefined;
  /** Saves what is to be there the next time. */
  readonly ended: () => Promise<void> | void;
}

/** Serves a vendor's API and pages, and beside it the simulator's control API. Addresses have no trailing slash. */
export async function serveSimulator<Route extends RoutePath, Control extends SimulatorControl>(
  served: ServedSimulator<Route, Control>,
): Promise<{ readonly url: string; readonly controlUrl: string; close(): Promise<void> }> {
  const { control, controlRoutes, host = '127.0.0.1', ports } = served;
  const closing = new AbortController();
  const vendor = { ...served.vendor, closing: closing.signal };
  const servers = [
    await listen((request, response) => serveVendor(vendor, request, response), host, ports?.vendor ?? 0),
    await listen(
      (request, response) => serveControl(control, controlRoutes, request, response),
      host,
      ports?.control ?? 0,
    ),
  ] as const;
  return {
    url: addressOf(servers[0], host),
    controlUrl: addressOf(servers[1], host),
    close: async () => {
      closing.abort();
      await Promise.all(servers.map(shut));
      await served.ended();
    },
  };
}
