import { SimulatorControl } from '../../../sandbox/shared/control.ts';
import { Faults } from '../../../sandbox/shared/faults.ts';
import { RequestLog } from '../../../sandbox/shared/request-log.ts';
import type { SimulatorIntegration } from '../../../sandbox/shared/simulator.ts';

import type { Integration } from '../../../src/app/integrations.ts';
import type { DestinationIntegration } from '../../../src/connectors/destinations/destination-integration.ts';
import { address, credential, secret } from '../../../src/platform/integration-settings.ts';

const API = address('HERON_BASE_URL', 'https://heron.invalid', 'Where Heron is reached.');
const CLIENT_ID = credential('HERON_CLIENT_ID', 'Client id from Heron.');
const CLIENT_SECRET = secret('HERON_CLIENT_SECRET', 'Client secret from Heron.');

const row: DestinationIntegration = {
  kind: 'destination',
  name: 'sheets',
  variables: [API, CLIENT_ID, CLIENT_SECRET],
  open: async (values, { http }) => {
    const { vendorConnector } = await import('../../connectors/destinations/support/vendor-connector.ts');
    return vendorConnector('sheets', values.get(API), http);
  },
};

const simulator: SimulatorIntegration = {
  folder: 'heron',
  pages: [],
  personas: [],
  prepare: async () => {
    const { Vendor } = await import('../../connectors/destinations/support/vendor.ts');
    return {
      demoPeople: () => [],
      start: async () => {
        const vendor = await new Vendor().open();
        return {
          url: vendor.origin,
          controlUrl: vendor.origin,
          control: new SimulatorControl(new Faults(1), new RequestLog()),
          people: null,
          settings: {
            [API.env]: vendor.origin,
            [CLIENT_ID.env]: 'heron-id',
            [CLIENT_SECRET.env]: 'heron-secret',
          },
          close: () => vendor.close(),
        };
      },
    };
  },
};

/** A destination that exists in this folder alone. */
export const HERON: Integration = { row, simulator };
