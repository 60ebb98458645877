import type { BridgeCredentials } from '../../platform/bridge-credentials.ts';

/** The path of the bridge, below the public address of the service. */
export const BRIDGE_PATH = '/simplefin';

/** The root address of the protocol. */
export function bridgeRoot(publicUrl: string): string {
  return `${publicUrl}${BRIDGE_PATH}`;
}

/** What a person pastes into an app: the claim address in Base64, standard alphabet with padding. */
export function setupTokenText(publicUrl: string, secret: string): string {
  return Buffer.from(`${bridgeRoot(publicUrl)}/claim/${secret}`).toString('base64');
}

/** What an app is answered when it claims: the root with the credentials in it. */
export function accessUrl(publicUrl: string, { user, password }: BridgeCredentials): string {
  return bridgeRoot(publicUrl).replace('://', `://${user}:${password}@`);
}
