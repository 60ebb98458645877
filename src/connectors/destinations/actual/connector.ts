import { FairSlots, SlotsFull } from '../../../platform/fair-slots.ts';
import { OutgoingFailure } from '../../../platform/outgoing-failure.ts';
import type { VendorHttpTools } from '../../../platform/vendor-http.ts';
import type {
  DestinationAccess,
  DestinationConnector,
  DestinationSignIn,
  SignInOutcome,
} from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { asUpstream, VendorRefusal } from '../kit/failures.ts';
import { Budget, type BudgetSource } from './budget.ts';
import { SyncServer } from './client.ts';
import { createAccounts } from './creation.ts';
import { actualResources, checkBudget, type PersonsAccess } from './resources.ts';
import { parseServerSecret, readServerSecret, type ServerSecret, writeServerSecret } from './secret.ts';
import { ActualWriter } from './writer.ts';

const CHUNK_ROWS = 500;
/** A chunk is sent in one request; servers accept 20 MB unless configured otherwise. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** How many budgets may be open at once for people who choose from them; runs have their own bounds. */
const BUDGETS_FOR_PEOPLE = { slots: 4, waiting: 64, share: 1 };

/** Actual Budget on the owner's server, as another client of its budgets. */
export function actualConnector(tools: VendorHttpTools): DestinationConnector {
  const persons = personsAccess(tools);
  return {
    type: 'actual',
    afterUnknown: 'resend',
    chunkRows: CHUNK_ROWS,
    chunkBytes: CHUNK_BYTES,
    signIn: actualSignIn(tools),
    resources: actualResources(persons),
    checkTarget: (access, question, signal) =>
      asUpstream(() => checkBudget(persons, access, question, signal), signal),
    create: (access, request, signal) => createAccounts(persons, access, request, signal),
    open: async ({ access, target, sync }) => {
      const id = target.budget_id;
      if (access === null || id === undefined || sync.type !== 'transactions') {
        throw new DestinationFailure('run_failed', 'The destination has no server of Actual or no budget.', {
          outcome: 'refused',
          retryable: false,
        });
      }
      return new ActualWriter(await sourceOf(tools, access, id, 'run'), sync);
    },
  };
}

async function sourceOf(
  tools: VendorHttpTools,
  access: DestinationAccess,
  id: string,
  waits: 'run' | 'person',
): Promise<BudgetSource> {
  const secret = readServerSecret(await access.current());
  const server = new SyncServer(tools, secret, { owner: access.owner, waits });
  return { ...tools, server, id, encryptionPassword: secret.encryptionPassword };
}

function personsAccess(tools: VendorHttpTools): PersonsAccess {
  const slots = new FairSlots(BUDGETS_FOR_PEOPLE);
  return {
    server: async (access) =>
      new SyncServer(tools, readServerSecret(await access.current()), {
        owner: access.owner,
        waits: 'person',
      }),
    withBudget: async (access, id, work, signal) => {
      const leave = await slots.take(access.owner, signal).catch((error: unknown) => {
        throw error instanceof SlotsFull ? busy() : error;
      });
      try {
        using budget = await Budget.open(await sourceOf(tools, access, id, 'person'), signal);
        return await work(budget);
      } finally {
        leave();
      }
    },
  };
}

function busy(): DestinationFailure {
  return new DestinationFailure(
    'rate_limited',
    'Too many budgets are being read at once: try again in a moment.',
    { outcome: 'refused', retryable: true },
  );
}

/** Connects the sync server of an owner. */
function actualSignIn(tools: VendorHttpTools): DestinationSignIn {
  return {
    check: async (owner, text, signal) => {
      const secret = parseServerSecret(text);
      if ('refusal' in secret) return { kind: 'refused', message: secret.refusal };
      return asUpstream(() => signedIn(tools, owner, secret, signal), signal);
    },
  };
}

async function signedIn(
  tools: VendorHttpTools,
  owner: string,
  secret: ServerSecret,
  signal: AbortSignal,
): Promise<SignInOutcome> {
  try {
    // Whether a password or token is valid shows when it is used.
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
