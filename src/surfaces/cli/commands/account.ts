import { Type } from 'typebox';
import { limitsOf } from '../../../features/access/plan-gates.ts';
import { BY_OPERATOR } from '../../../features/audit/audit-log.ts';
import type { AccountRecord } from '../../../storage/account-records.ts';
import { type OwnerId, parsePublicId, publicId } from '../../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES, PLAN_NAMES } from '../../../vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../../vocabulary/states.ts';
import { command, type RecordContext } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { pairs, table } from '../table.ts';

const strict = { additionalProperties: false };
const PlanName = Type.Union(PLAN_NAMES.map((name) => Type.Literal(name)));
const StatusName = Type.Union(ACCOUNT_RECORD_STATUSES.map((name) => Type.Literal(name)));
const AccountResult = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  plan: Type.String(),
  status: Type.String(),
  trial_ends_at: Type.Union([Type.String(), Type.Null()]),
  limits: Type.Object({
    connections: Type.Integer(),
    accounts: Type.Integer(),
    syncs: Type.Integer(),
    destinations: Type.Integer(),
  }),
  timezone: Type.String(),
  caching: Type.Boolean(),
  removal_asked_at: Type.Union([Type.String(), Type.Null()]),
  created: Type.String(),
});
type AccountResult = Type.Static<typeof AccountResult>;

/** `account create`: an account record, which is who uses the service. */
export const accountCreate = command({
  name: 'account create',
  args: Type.Object(
    {
      email: Type.String(),
      name: Type.Optional(Type.String()),
      plan: Type.Optional(PlanName),
      trial: Type.Optional(Type.Boolean()),
      timezone: Type.Optional(Type.String()),
    },
    strict,
  ),
  result: AccountResult,
  run: async ({ app }: RecordContext, args) =>
    shown(await app.operator.accounts.create(args), app.services.clock.now()),
  show: (account) =>
    `${showOne(account)}\n\nNext: tributary key create --account ${account.id} --name "My key" --scopes all`,
});

/** `account update`: plan, status, limits, zone and caching. */
export const accountUpdate = command({
  name: 'account update',
  args: Type.Object(
    {
      account: Type.String(),
      plan: Type.Optional(PlanName),
      status: Type.Optional(StatusName),
      limit: Type.Optional(Type.String()),
      timezone: Type.Optional(Type.String()),
      caching: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])),
    },
    strict,
  ),
  result: AccountResult,
  run: async ({ app }: RecordContext, { account, ...change }) => {
    const operator = { by: BY_OPERATOR, from: null };
    const changed = await app.operator.accounts.change(accountRecordId(account), change, operator);
    return shown(changed, app.services.clock.now());
  },
  show: (account) => showOne(account),
});

/** `account list`: every account record of the installation, oldest first. */
export const accountList = command({
  name: 'account list',
  args: Type.Object({}, strict),
  result: Type.Object({ accounts: Type.Array(AccountResult) }),
  run: async ({ app }: RecordContext) => {
    const now = app.services.clock.now();
    return { accounts: (await app.operator.accounts.list()).map((record) => shown(record, now)) };
  },
  show: ({ accounts }) =>
    accounts.length === 0
      ? 'There are no account records. Create one: tributary account create --email you@example.com'
      : table(
          [
            { title: 'ID' },
            { title: 'EMAIL' },
            { title: 'NAME' },
            { title: 'PLAN' },
            { title: 'STATUS' },
            { title: 'TIMEZONE' },
            { title: 'CREATED' },
          ],
          accounts.map((one) => [
            one.id,
            one.email,
            one.name ?? '',
            one.plan,
            one.removal_asked_at === null ? one.status : `being deleted since ${one.removal_asked_at}`,
            one.timezone,
            one.created,
          ]),
        ),
});

/** `account delete`: an account record with everything in it. */
export const accountDelete = command({
  name: 'account delete',
  args: Type.Object({ account: Type.String(), confirm: Type.String() }, strict),
  result: Type.Object({ account: Type.String(), email: Type.String(), asked_at: Type.String() }),
  run: async ({ app: { operator } }, { account, confirm }) => {
    const { record, asked } = await operator.accounts.delete(accountRecordId(account), confirm);
    return { account, email: record.email, asked_at: asked.toISOString() };
  },
  show: ({ account, email, asked_at }) =>
    `${account} (${email}) is being deleted since ${asked_at}. It cannot be opened any more; its keys, apps and members are gone. Consents are withdrawn and grants revoked while a worker runs. To see the progress: tributary account list`,
});

/** The row behind an `acc_` id given on the command line. */
export function accountRecordId(text: string): OwnerId {
  const id = parsePublicId('account_record', text);
  if (id === null) {
    throw usageFailure(`"${text}" is not the id of an account record (acc_…). See: tributary account list`);
  }
  return id;
}

function shown(record: AccountRecord, now: number): AccountResult {
  return {
    id: publicId('account_record', record.id),
    email: record.email,
    name: record.name,
    plan: record.plan,
    status: record.status,
    trial_ends_at: record.trial_ends_at?.toISOString() ?? null,
    limits: { ...limitsOf(record, now) },
    timezone: record.timezone,
    caching: record.caching,
    removal_asked_at: record.removal_asked_at?.toISOString() ?? null,
    created: record.created.toISOString(),
  };
}

function showOne(account: AccountResult): string {
  const limits = PLAN_LIMIT_NAMES.map(
    (name) => `${name} ${account.limits[name] === -1 ? 'unlimited' : account.limits[name]}`,
  );
  return pairs([
    ['Account', account.id],
    ['E-mail', account.email],
    ['Name', account.name ?? ''],
    ['Plan', account.plan],
    [
      'Status',
      account.trial_ends_at === null ? account.status : `${account.status} until ${account.trial_ends_at}`,
    ],
    ['Limits', limits.join(', ')],
    ['Timezone', account.timezone],
    ['Caching', account.caching ? 'on' : 'off'],
  ]);
}
