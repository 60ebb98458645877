import assert from 'node:assert/strict';
import type { SimulatorControl } from '../../../../sandbox/shared/control.ts';
import type { FaultKind } from '../../../../sandbox/shared/faults.ts';
import {
  type DestinationRow,
  findDestination,
  updateDestination,
} from '../../../../src/storage/destinations.ts';
import { decimalFromMoney, moneyFromDecimal } from '../../../../src/vocabulary/money.ts';
import { DESTINATION_MOVES, StatusMove } from '../../../../src/vocabulary/states.ts';
import type { World } from '../../../features/sync-engine/support/world.ts';
import type { SuiteScene } from './suite-scene.ts';

/** What a vendor shows of an amount, with the places of the currency: spreadsheets show -2.00 as -2. */
export function amountOf(shown: string | undefined, currency: string | undefined): string {
  return decimalFromMoney(moneyFromDecimal(shown ?? '', currency ?? ''));
}

const LOST = {
  before: 'connection-reset',
  during: 'truncated-body',
  after: 'drop-answer',
} as const satisfies Record<Parameters<SuiteScene['drop']>[1], FaultKind>;

/**
 * Requests of a simulator, and the connections it drops.
 * @param grant where a refresh token counts once
 */
export function connectionsOf(
  control: SimulatorControl,
  grant?: RenewedGrant,
): Pick<SuiteScene, 'requests' | 'drop' | 'grant'> {
  let droppedAfter = false;
  const renewals = () =>
    control
      .requests()
      .filter(
        ({ path, status }) =>
          path.endsWith('/token') && (status === 200 || (status === null && droppedAfter)),
      ).length;
  return {
    requests: () => control.requests().length,
    drop: (after, when) => {
      droppedAfter = when === 'after';
      control.addFault({ route: '*', kind: LOST[when], after });
    },
    ...(grant === undefined
      ? {}
      : {
          grant: {
            losesRenewal: (work) => losesRenewal(grant, renewals, work),
            signInAgain: () => signInAgain(grant),
          },
        }),
  };
}

async function losesRenewal(
  { world: { database, owner }, destination: { id } }: RenewedGrant,
  renewals: () => number,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const stored = async () => (await findDestination(database.db, owner.id, id))?.grant ?? assert.fail();
  const [grantBefore, renewalsBefore] = [await stored(), renewals()];
  await work();
  return renewals() > renewalsBefore && Buffer.compare(await stored(), grantBefore) === 0;
}

/** How many requests changed something at the vendor, sign-in aside. @param reads paths of those that only ask */
export function writesOf(control: SimulatorControl, reads: RegExp): () => number {
  const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
    method !== 'GET' && !path.endsWith('/token') && !reads.test(path);
  return () => control.requests().filter(isWrite).length;
}

/** The grant of a destination, and how a person gives a new one. */
export interface RenewedGrant {
  readonly world: World;
  readonly destination: DestinationRow;
  readonly signIn: () => Promise<string>;
}

async function signInAgain({ world, destination: { id }, signIn }: RenewedGrant): Promise<void> {
  const { database, secrets, owner, clock } = world;
  const grant = secrets.sealGrant(id, await signIn());
  const change = {
    grant,
    grant_claimed_until: null,
    moved: StatusMove.of(DESTINATION_MOVES, 'new secret accepted', 'reauth_required'),
    updated: new Date(clock.now()),
  };
  assert.ok(await updateDestination(database.db, owner.id, id, change));
}

/** Has the bank describe a row by this text, for vendors that refuse rows by a text in them. */
export function describeAs({ bank }: World, id: string, description: string): void {
  for (const rows of bank.accounts.values()) {
    const at = rows.findIndex((row) => row.id === id);
    const row = rows[at];
    if (row === undefined) continue;
    rows[at] = { ...row, description };
    return;
  }
  assert.fail(`the bank has no row ${id}`);
}
