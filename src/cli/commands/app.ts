import { Type } from 'typebox';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
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
  two_decimals: Type.Union([Type.Boolean(), Type.Null()]),
  leave_out_extra: Type.Union([Type.Boolean(), Type.Null()]),
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
            { title: 'AMOUNTS' },
            { title: 'EXTRA' },
            { title: 'LAST USED' },
            { title: 'CREATED' },
          ],
          apps.map((one) => [
            one.id,
            one.kind,
            one.name,
            one.status,
            one.two_decimals === null ? '' : amountsText(one.two_decimals),
            one.leave_out_extra === null ? '' : extraText(one.leave_out_extra),
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
    return shown(await updated(services, appId(args.app), { name: args.name }));
  },
  show: (app) => showOne(app),
});

const choice = Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')]));

/** `app update`: what it is sent, and in which form. */
export const appUpdate = command({
  name: 'app update',
  args: Type.Object({ app: Type.String(), two_decimals: choice, leave_out_extra: choice }, strict),
  result: AppResult,
  run: async ({ app: { services } }, args) => {
    const { app, ...choices } = args;
    const change = Object.fromEntries(
      Object.entries(choices).map(([name, chosen]) => [name, chosen === 'on']),
    );
    if (Object.keys(change).length === 0)
      throw usageFailure('Say what to change: --two-decimals on|off, --leave-out-extra on|off, or both.');
    return shown(await updated(services, appId(app), change));
  },
  show: (app) => showOne(app),
});

/** `app revoke`: its credentials stop working at once, everywhere. */
export const appRevoke = command({
  name: 'app revoke',
  args: Type.Object({ app: Type.String() }, strict),
  result: AppResult,
  run: async ({ app: { services } }, args) => {
    const { auditLog, simplefinApps, connectedApps } = services;
    const grant = parsePublicId('oauth_grant', args.app);
    if (grant !== null) {
      const owner = await connectedApps.ownerOf(grant);
      const target = publicId('oauth_grant', grant);
      const revoked = await auditLog.recording(
        owner,
        () => connectedApps.revoke(owner, grant),
        () => ({ kind: 'connected_app.revoked', by: BY_OPERATOR, from: null, target }),
      );
      return shownGrant(revoked);
    }
    const id = appId(args.app);
    const owner = await simplefinApps.ownerOf(id);
    const target = publicId('simplefin_app', id);
    const revoked = await auditLog.recording(
      owner,
      () => simplefinApps.revoke(owner, id),
      () => ({ kind: 'simplefin_app.revoked', by: BY_OPERATOR, from: null, target }),
    );
    return shown(revoked);
  },
  show: (app) => showOne(app),
});

async function updated(
  { simplefinApps, auditLog }: Pick<Services, 'simplefinApps' | 'auditLog'>,
  id: RowId<'simplefin_app'>,
  change: Parameters<Services['simplefinApps']['update']>[2],
): Promise<SimplefinApp> {
  const owner = await simplefinApps.ownerOf(id);
  const target = publicId('simplefin_app', id);
  return auditLog.recording(
    owner,
    () => simplefinApps.update(owner, id, change),
    () => ({ kind: 'simplefin_app.updated', by: BY_OPERATOR, from: null, target }),
  );
}

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
    two_decimals: app.two_decimals,
    leave_out_extra: app.leave_out_extra,
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
    two_decimals: null,
    leave_out_extra: null,
    last_used_at: app.last_used_at?.toISOString() ?? null,
    created: app.created.toISOString(),
  };
}

/** How an app is sent amounts. */
export function amountsText(twoDecimals: boolean): string {
  return twoDecimals ? 'two decimals' : 'exact';
}

/** Whether an app is sent `extra` members. */
export function extraText(leaveOutExtra: boolean): string {
  return leaveOutExtra ? 'left out' : 'sent';
}

function showOne(app: AppResult): string {
  return pairs([
    ['App', app.id],
    ['Account', app.account],
    ['Name', app.name],
    ['Status', app.status],
    ...(app.two_decimals === null ? [] : [['Amounts', amountsText(app.two_decimals)] as const]),
    ...(app.leave_out_extra === null ? [] : [['Extra', extraText(app.leave_out_extra)] as const]),
    ['Last used', app.last_used_at ?? 'never'],
  ]);
}
