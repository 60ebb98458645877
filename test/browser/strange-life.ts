import assert from 'node:assert/strict';
import { importedConnection, linkBank } from '../features/linking/person.ts';
import { connectApp, newSetupToken } from '../support/bridge.ts';
import type { TestOwner, TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { letIn, signIn } from '../surfaces/oauth/stage.ts';
import { answering } from './destination-lives.ts';
import { STRANGE_CUSTOMER, strangeBankId } from './strange-bank.ts';

const MOST = 200;
/** Of what others than the person name, and of keys. */
const MOST_SHORT = 100;

/** Quotes, markup that runs if it is not shown as text, right-to-left words, and no place to break a line. */
const strange = (field: string, most = MOST, words = 'المصروفات'): string =>
  `"'><img src=x onerror=window.ran="${field}"><script>window.ran="${field}"</script>${words}`.padEnd(
    most,
    'x',
  );

export const STRANGE = {
  institution: strange('bank', MOST_SHORT),
  account: strange('account', MOST_SHORT),
  destination: strange('destination'),
  sync: strange('sync'),
  group: strange('group'),
  category: strange('category'),
  ruleset: strange('ruleset', MOST - 10),
  rule: strange('rule'),
  key: strange('key', MOST_SHORT),
  receiver: strange('receiver'),
  // In one script: names of apps in several are not shown (docs/linking.md).
  app: strange('app', MOST_SHORT, ''),
  program: strange('program', MOST_SHORT),
  token: strange('token', MOST_SHORT),
} as const;

export interface StrangeLife {
  readonly owner: TestOwner;
  readonly ids: Readonly<Record<'destination' | 'ruleset' | 'receiver' | 'sync', string>>;
}

/** A person for whom everything has a strange name. */
export async function strangeLife(service: TestService): Promise<StrangeLife> {
  const owner = await service.owner();
  const made = async (path: string, body: Json): Promise<Json> => {
    const answer = await owner.v2('POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    return answer.body;
  };
  const at = await strangeBankId(owner, STRANGE.institution);
  const linked = await linkBank(owner, { at, customer: STRANGE_CUSTOMER });
  const { accounts } = await importedConnection(owner, linked);
  const { url } = await answering({ status: 204, body: '' });
  const destination = await made('/v2/destinations', {
    type: 'webhook',
    name: STRANGE.destination,
    target: { url },
  });
  const sync = await made('/v2/syncs', {
    type: 'transactions',
    name: STRANGE.sync,
    destination: destination.id,
    accounts: accounts.map(({ id }: Json) => id),
    mapping_mode: 'bulk',
    run_now: false,
  });
  const group = await made('/v2/categories', { name: STRANGE.group });
  await made('/v2/categories', { name: STRANGE.category, parent: group.id });
  const ruleset = await made('/v2/rulesets', { name: STRANGE.ruleset });
  const actions = [{ type: 'skip' }];
  await made(`/v2/rulesets/${ruleset.id}/rules`, { name: STRANGE.rule, conditions: null, actions });
  await made('/v2/api_keys', { name: STRANGE.key, scopes: ['data:read'] });
  const webhook_endpoint = { url: (await answering({ status: 204, body: '' })).url };
  const receiver = await made('/v2/event_destinations', {
    name: STRANGE.receiver,
    webhook_endpoint,
    enabled_events: ['*'],
  });
  await letIn(service, await signIn(service, owner), { name: STRANGE.app });
  await connectApp(service, owner, STRANGE.program);
  await newSetupToken(owner, STRANGE.token);
  const ids = { destination: destination.id, ruleset: ruleset.id, receiver: receiver.id, sync: sync.id };
  return { owner, ids };
}
