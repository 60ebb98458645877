import { ofxOf, STATEMENT, upload } from '../features/documents/statements.ts';
import { importedConnection, linkBroker } from '../features/linking/person.ts';
import { connectApp, newSetupToken } from '../support/bridge.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { letIn, signIn } from '../surfaces/oauth/stage.ts';
import { answering, webhookWithRun } from './destination-lives.ts';
import { failedSync, linkedOwner } from './lives.ts';
import { addRuleset } from './rulesets.ts';
import { sheetWithRun } from './sync-lives.ts';

/** Someone with something on every page, and the ids in the addresses of those that show one thing. */
export interface FullLife {
  readonly owner: TestOwner & { readonly connection: Json };
  readonly ids: Readonly<
    Record<
      | 'connection'
      | 'account'
      | 'sync'
      | 'run'
      | 'destination'
      | 'ruleset'
      | 'key'
      | 'event'
      | 'eventDestination',
      string
    >
  >;
}

export async function fullLife(service: TestService): Promise<FullLife> {
  const owner = await linkedOwner(service);
  const accounts: string[] = owner.connection.accounts.map(({ id }: Json) => id);
  await importedConnection(owner, await linkBroker(owner, 'self-directed'));
  await failedSync(owner, accounts);
  const { webhook } = await webhookWithRun(owner, await answering({ status: 204, body: '' }), accounts);
  const { sync, run } = await sheetWithRun(owner, accounts);
  await upload(owner, 'september.ofx', ofxOf(STATEMENT));
  const ruleset = await addRuleset(owner);
  await owner.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });
  await letIn(service, await signIn(service, owner), {});
  await connectApp(service, owner, 'Actual on the home server');
  await newSetupToken(owner, 'Home Assistant');
  const key = await owner.v2('POST', '/v2/api_keys', { name: 'Budget script', scopes: ['data:read'] });
  const { body: receiver } = await owner.v2('POST', '/v2/event_destinations', {
    name: 'Ledger',
    webhook_endpoint: { url: (await answering({ status: 204, body: '' })).url },
    enabled_events: ['*'],
  });
  const event = await owner.v2('POST', `/v2/event_destinations/${receiver.id}/ping`);
  return {
    owner,
    ids: {
      connection: owner.connection.id,
      account: accounts[0] ?? '',
      sync: sync.id,
      run: run.id,
      destination: webhook.id,
      ruleset: ruleset.id,
      key: key.body.id,
      event: event.body.id,
      eventDestination: receiver.id,
    },
  };
}
