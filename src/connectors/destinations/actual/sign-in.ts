import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { DestinationSignIn, SignInOutcome } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import { VendorRefusal } from '../kit/vendor-refusal.ts';
import type { ServerTools } from './server-calls.ts';
import { parseServerSecret, type ServerSecret, writeServerSecret } from './server-secret.ts';
import { SyncServer } from './sync-server.ts';

/** Connects the sync server of an owner. */
export function actualSignIn(tools: ServerTools): DestinationSignIn {
  return {
    check: async (owner, text, signal) => {
      const secret = parseServerSecret(text);
      if ('refusal' in secret) return { kind: 'refused', message: secret.refusal };
      return asUpstream(() => signedIn(tools, owner, secret, signal), signal);
    },
  };
}

async function signedIn(
  tools: ServerTools,
  owner: string,
  secret: ServerSecret,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  try {
    // Whether a password or a token is good shows in what it opens.
    await new SyncServer(tools, secret, { owner, waits: 'person' }).budgets(signal);
  } catch (error) {
    if (error instanceof VendorRefusal && error.code !== 'rate_limited')
      return { kind: 'refused', message: error.message };
    const { cause } = error instanceof DestinationFailure ? error : {};
    if (cause instanceof OutgoingFailure && cause.kind === 'refused_address')
      return { kind: 'refused', message: cause.message };
    throw error;
  }
  const grant = writeServerSecret(secret);
  return { kind: 'accepted', grant, name: `Actual at ${new URL(secret.server).host}` };
}
