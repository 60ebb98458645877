import { Type } from 'typebox';
import type { ConnectedApp } from '../../features/oauth/connected-apps.ts';
import type { Services } from '../../operations/services.ts';
import type { SimplefinApp } from '../../storage/simplefin-apps.ts';
import { parsePublicId, publicId, type RowId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import { command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { pairs, table } from '../table.ts';
import { accountRecordId } from './account.ts';

const strict = { additionalProperties: false };
const PAGE = 100;
const AppResult = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  account: Type.String(),
  name: Type.String(),
  status: Type.String(),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
  created: Type.String(),
});
type AppResult = Type.Static<typeof AppResult>;

/** `app list`: the apps of an account record, of the bridge and connected by OAuth, each newest first, ended ones included. */
export const appList = command({
  name: 'app list',
  args: Type.Object({ account: Type.String() }, strict),
  result: Type.Object({ apps: Type.Array(AppResult) }),
  run: async ({ app: { services } }, { account }) => {
    const owner = accountRecordId(account);
    await services.accountRecords.find(owner);
    return { apps: await everyApp(services, owner) };
  },
  show: ({ apps }) =>
    apps.length === 0
      ? 'There are no apps. Connect one: tributary setup-token create --account acc_… --name "My app"'
      : table(
          [
            { title: 'ID' },
            { title: 'KIND' },
            { title: 'NAME' },
            { title: 'STATUS' },
            { title: 'LAST USED' },
            { title: 'CREATED' },
          ],
          apps.map((one) => [
            one.id,
            one.kind,
            one.name,
            one.status,
            one.last_used_at ?? 'never',
            one.created,
          ]),
        ),
});

/** `app rename`: what it is called in lists. */
export const appRename = command({
  name: 'app rename',
  args: Type.Object(
    {
      app: Type.String(),
      name: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.key_name_characters }),
    },
    strict,
  ),
  result: AppResult,
  run: async ({ app: { services } }, args) => {
    const id = appId(args.app);
    const { simplefinApps } = services;
    return shown(await simplefinApps.rename(await simplefinApps.ownerOf(id), id, args.name));
  },
  show: (app) => showOne(app),
});

/** `app revoke`: its credentials stop working at once, everywhere. */
export const appRevoke = command({
  name: 'app revoke',
  args: Type.Object({ app: Type.String() }, strict),
  result: AppResult,
  run: async ({ app: { services } }, args) => {
    const { simplefinApps, connectedApps } = services;
    const grant = parsePublicId('oauth_grant', args.app);
    if (grant !== null) {
      return shownGrant(await connectedApps.revoke(await connectedApps.ownerOf(grant), grant));
    }
    const id = appId(args.app);
    return shown(await simplefinApps.revoke(await simplefinApps.ownerOf(id), id));
  },
  show: (app) => showOne(app),
});

async function everyApp(
  { simplefinApps, connectedApps }: Pick<Services, 'simplefinApps' | 'connectedApps'>,
  owner: RowId<'account_record'>,
): Promise<AppResult[]> {
  const bridge = await everyPage((request) => simplefinApps.list(owner, request));
  const connected = await everyPage((request) => connectedApps.list(owner, request));
  return [...bridge.map(shown), ...connected.map(shownGrant)];
}

async function everyPage<T extends { readonly id: string }>(
  list: (request: PageRequest) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | null = null;
  do {
    const page = await list({ limit: PAGE, after, before: null });
    all.push(...page.items);
    after = page.hasMore ? (page.items.at(-1)?.id ?? null) : null;
  } while (after !== null);
  return all;
}

function appId(text: string): RowId<'simplefin_app'> {
  const id = parsePublicId('simplefin_app', text);
  if (id === null) {
    throw usageFailure(
      `"${text}" is not the id of an app (sfa_… or oag_…). See: tributary app list --account acc_…`,
    );
  }
  return id;
}

function shown(app: SimplefinApp): AppResult {
  return {
    id: publicId('simplefin_app', app.id),
    kind: 'simplefin',
    account: publicId('account_record', app.account_record),
    name: app.name,
    status: app.revoked_at === null ? 'active' : 'revoked',
    last_used_at: app.last_used_at?.toISOString() ?? null,
    created: app.created.toISOString(),
  };
}

function shownGrant(app: ConnectedApp): AppResult {
  return {
    id: publicId('oauth_grant', app.id),
    kind: 'oauth',
    account: publicId('account_record', app.account_record),
    name: app.client_name ?? app.client,
    status: app.status,
    last_used_at: app.last_used_at?.toISOString() ?? null,
    created: app.created.toISOString(),
  };
}

function showOne(app: AppResult): string {
  return pairs([
    ['App', app.id],
    ['Account', app.account],
    ['Name', app.name],
    ['Status', app.status],
    ['Last used', app.last_used_at ?? 'never'],
  ]);
}
