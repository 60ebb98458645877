import type { Static } from 'typebox';
import type { connectedAppSchema } from '../../../src/operations/v2/connected-apps.ts';
import { ask } from './client.ts';
import { paged } from './paged.ts';

export type ConnectedApp = Static<typeof connectedAppSchema>;

const PATH = 'connected_apps';

export const connectedApps = paged<ConnectedApp>(PATH);

export function revokeConnectedApp(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` });
}
