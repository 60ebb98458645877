import type { Json, JsonObject } from '../shared/json.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { badRequest } from '../shared/vendor-error.ts';
import { type Bank, type BridgeAccount, type BridgeUser, connectionId, type Movement } from './bank.ts';

/** How the server behaves. */
export interface ServerSettings {
  /** The newest version of the protocol that it has. */
  version: 1 | 2;
}

/** `GET /accounts`, in the version that was asked for and that the server has. */
export function accountSet(
  bank: Bank,
  user: BridgeUser,
  { query, rowFaults }: SimulatedRequest,
  settings: ServerSettings & { readonly warns: boolean },
  now: number,
): JsonObject {
  const second = settings.version === 2 && query.get('version') === '2';
  const [start, end] = [secondsIn(query, 'start-date'), secondsIn(query, 'end-date')];
  const asked = query.getAll('account');
  const open = user.accounts.filter(
    ({ id, closed }) => !closed && (asked.length === 0 || asked.includes(id)),
  );
  const rows = (account: BridgeAccount): Json[] => {
    if (query.get('balances-only') === '1') return [];
    const wanted = account.movements(now).filter((one) => {
      if (one.postsAt > now) return query.get('pending') === '1';
      const at = one.postsAt / 1000;
      return (start === null || at >= start) && (end === null || at < end);
    });
    return spoilt(
      wanted.toSorted((a, b) => a.postsAt - b.postsAt).map((one) => rowJson(one, now)),
      rowFaults,
    );
  };
  const organisations = new Map(user.accounts.map(({ plan }) => [plan.organisation.key, plan.organisation]));
  const lost = [...organisations.values()].filter(({ key }) => bank.lostLogins.has(key));
  const accounts = open.map((account): JsonObject => {
    const { plan, id } = account;
    const { current, available } = account.balance(now);
    return {
      id,
      name: plan.name,
      currency: plan.currency,
      balance: decimalOf(current),
      'available-balance': decimalOf(available),
      'balance-date': Math.floor(now / 1000),
      transactions: rows(account),
      extra: {},
      ...(second
        ? { conn_id: connectionId(user, plan.organisation), conn_name: plan.organisation.name }
        : { org: orgJson(plan.organisation) }),
    };
  });
  const errors = [
    ...lost.map(({ name }) => `Connection to ${name} may need attention`),
    // Servers of version 2 say it here too, and nowhere else.
    ...(settings.warns ? ['Attention: too many requests today. This authorization may be disabled.'] : []),
  ];
  if (!second) return { errors, accounts };
  return {
    errors,
    errlist: [
      ...lost.map((one) => ({
        code: 'con.auth',
        msg: `Connection to ${one.name} may need attention`,
        conn_id: connectionId(user, one),
      })),
      ...open
        .filter(({ failed }) => failed)
        .map(({ id, plan }) => ({
          code: 'act.failed',
          msg: `${plan.name} could not be read`,
          account_id: id,
        })),
    ],
    connections: [...organisations.values()].map((one) => ({
      conn_id: connectionId(user, one),
      name: `${one.name} - ${user.name}`,
      org_id: `INST-${one.key}`,
      org_name: one.name,
      org_url: `https://${one.domain}`,
      sfin_url: `https://${one.domain}/simplefin`,
    })),
    accounts,
  };
}

function orgJson({ key, name, domain }: BridgeAccount['plan']['organisation']): JsonObject {
  return {
    domain,
    name,
    'sfin-url': `https://${domain}/simplefin`,
    url: `https://${domain}`,
    id: `INST-${key}`,
  };
}

function rowJson(
  { id, madeAt, postsAt, cents, description, payee, memo }: Movement,
  now: number,
): JsonObject {
  const pending = postsAt > now;
  return {
    id,
    posted: pending ? 0 : Math.floor(postsAt / 1000),
    amount: decimalOf(cents),
    description,
    payee,
    memo,
    transacted_at: Math.floor(madeAt / 1000),
    ...(pending ? { pending: true } : {}),
  };
}

function spoilt(rows: readonly JsonObject[], faults: SimulatedRequest['rowFaults']): Json[] {
  const [first, ...rest] = rows;
  if (first === undefined) return [...rows];
  if (faults.includes('duplicate-row')) return [first, ...rows];
  if (!faults.includes('row-without-id')) return [...rows];
  const { id: _left, ...without } = first;
  return [without, ...rest];
}

/** Whole seconds, or with decimals. @throws VendorError 400 */
function secondsIn(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  if (!/^\d{1,11}(?:\.\d+)?$/.test(given)) throw badRequest('gen.api', `${name} must be seconds since 1970.`);
  return Number(given);
}

function decimalOf(cents: number): string {
  return (cents / 100).toFixed(2);
}
