import { Type } from 'typebox';
import type { ConnectedApp } from '../../../features/oauth/connected-apps.ts';
import { setupTokenText } from '../../../operations/simplefin/addresses.ts';
import type { SimplefinApp } from '../../../storage/simplefin-apps.ts';
import { parsePublicId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { command } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { pairs, table } from '../table.ts';
import { accountRecordId } from './account.ts';

const strict = { additionalProperties: false };
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
  run: async ({ app: { operator } }, { account }) => {
    const { simplefin, oauth } = await operator.apps.list(accountRecordId(account));
    return { apps: [...simplefin.map(shown), ...oauth.map(shownGrant)] };
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

/** `setup-token create`: prints the token once; only its hash is stored. */
export const setupTokenCreate = command({
  name: 'setup-token create',
  args: Type.Object(
    {
      account: Type.String(),
      name: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.key_name_characters }),
      two_decimals: Type.Optional(Type.Boolean()),
      leave_out_extra: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  result: Type.Object({
    id: Type.String(),
    account: Type.String(),
    name: Type.String(),
    two_decimals: Type.Boolean(),
    leave_out_extra: Type.Boolean(),
    expires_at: Type.String(),
    setup_token: Type.String(),
  }),
  run: async ({ app }, args) => {
    const { token, secret } = await app.operator.apps.createSetupToken(accountRecordId(args.account), {
      name: args.name,
      twoDecimals: args.two_decimals ?? false,
      leaveOutExtra: args.leave_out_extra ?? false,
    });
    return {
      id: publicId('simplefin_setup_token', token.id),
      account: args.account,
      name: token.name,
      two_decimals: token.two_decimals,
      leave_out_extra: token.leave_out_extra,
      expires_at: token.expires_at.toISOString(),
      setup_token: setupTokenText(app.services.publicUrl, secret),
    };
  },
  show: (token) =>
    `${pairs([
      ['Token', token.id],
      ['Account', token.account],
      ['App', token.name],
      ['Amounts', amountsText(token.two_decimals)],
      ['Extra', extraText(token.leave_out_extra)],
      ['Expires', token.expires_at],
    ])}\n\n${token.setup_token}\n\nPaste the line above into the app now; it is not shown again, and one app can use it once.`,
});

/** `app rename`: changes its name in lists. */
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
  run: async ({ app: { operator } }, { app, name }) =>
    shown(await operator.apps.update(appId(app), { name })),
  show: (app) => showOne(app),
});

const choice = Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')]));

/** `app update`: changes what it is sent, and in which form. */
export const appUpdate = command({
  name: 'app update',
  args: Type.Object({ app: Type.String(), two_decimals: choice, leave_out_extra: choice }, strict),
  result: AppResult,
  run: async ({ app: { operator } }, { app, two_decimals: twoDecimals, leave_out_extra: leaveOut }) =>
    shown(
      await operator.apps.update(appId(app), {
        ...(twoDecimals === undefined ? {} : { two_decimals: twoDecimals === 'on' }),
        ...(leaveOut === undefined ? {} : { leave_out_extra: leaveOut === 'on' }),
      }),
    ),
  show: (app) => showOne(app),
});

/** `app revoke`: its credentials stop working at once, in every process. */
export const appRevoke = command({
  name: 'app revoke',
  args: Type.Object({ app: Type.String() }, strict),
  result: AppResult,
  run: async ({ app: { operator } }, { app }) => {
    const grant = parsePublicId('oauth_grant', app);
    return grant === null
      ? shown(await operator.apps.revoke(appId(app)))
      : shownGrant(await operator.apps.disconnect(grant));
  },
  show: (app) => showOne(app),
});

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
function amountsText(twoDecimals: boolean): string {
  return twoDecimals ? 'two decimals' : 'exact';
}

/** Whether an app is sent `extra` members. */
function extraText(leaveOutExtra: boolean): string {
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
