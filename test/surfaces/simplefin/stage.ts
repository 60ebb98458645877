import assert from 'node:assert/strict';
import type { AuBankingControl } from '../../../sandbox/au-banking/control.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { parsePublicId, type RowId } from '../../../src/vocabulary/ids.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { type ConnectedApp, connectApp } from '../../support/bridge.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

export const DAY = 86_400;
/** A second bank. */
export const OTHER_BANK = 'inst_fk_90002';

/** A service with one person whose app is connected, and who has linked a household's accounts. */
export interface BridgeStage {
  readonly service: TestService;
  readonly owner: TestOwner;
  readonly app: ConnectedApp;
  readonly connection: Json;
  /** The account with the most rows. */
  readonly everyday: Json;
  readonly bank: AuBankingControl;
  /** Epoch seconds. */
  readonly now: () => number;
  readonly upstreamOf: (account: string) => Promise<string>;
  /** Another person with an app, who has linked these customers of the bank. */
  readonly person: (...choices: Parameters<typeof linkBank>[1][]) => Promise<Person>;
}

export interface Person {
  readonly owner: TestOwner;
  readonly app: ConnectedApp;
  readonly connections: readonly Json[];
}

export async function openStage(environment: Record<string, string> = {}): Promise<BridgeStage> {
  const clock = new ShiftedClock();
  const service = await startService(environment, { clock });
  const person: BridgeStage['person'] = async (...choices) => {
    const owner = await service.owner();
    const connections: Json[] = [];
    for (const choice of choices) {
      connections.push(await importedConnection(owner, await linkBank(owner, choice)));
    }
    return { owner, connections, app: await connectApp(service, owner) };
  };
  const { owner, app, connections } = await person({ customer: 'salaried-household' });
  const [connection] = connections;
  return {
    service,
    owner,
    app,
    connection,
    everyday: connection.accounts.find((one: Json) => one.name === 'Everyday Account'),
    bank: sandboxBank(service.app),
    now: () => Math.floor(clock.now() / 1000),
    upstreamOf: async (account) => {
      const query = service.app.database.db.selectFrom('accounts').select('upstream_id');
      return (await query.where('id', '=', uuidOf(account)).executeTakeFirstOrThrow()).upstream_id;
    },
    person,
  };
}

/** The id that the bridge shows for an account of v2. */
export function uuidOf(account: string): RowId<'account'> {
  return parsePublicId('account', account) ?? assert.fail(account);
}

/** The one account of an answer. */
export function only({ body }: { readonly body: Json }): Json {
  assert.equal(body.accounts.length, 1);
  return body.accounts[0];
}
