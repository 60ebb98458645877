import { idText, inner, list, nameText, text, texts, type WireObject } from '../kit/json.ts';
import { digestOf } from './addresses.ts';

/** An account as the server sent it, with the id under which it is known here. */
export interface WireAccount {
  /** Unique at the provider: a server promises unique ids only within an organisation. Null if it cannot be read. */
  readonly id: string | null;
  readonly row: WireObject;
  /** Whether the server says that it could not read this account. */
  readonly failed: boolean;
}

/** One login at an institution, or in version 1 an institution, with its accounts. */
export interface Group {
  /** Its id for a new consent. */
  readonly consent: string;
  /** Every id under which a consent may have been given to it. */
  readonly consents: ReadonlySet<string>;
  readonly institution: { readonly id: string; readonly name: string };
  readonly accounts: readonly WireAccount[];
  /** Whether the institution wants the person to sign in again. */
  readonly loginLost: boolean;
}

interface Organisation {
  readonly key: string;
  readonly name: string;
}

const UNNAMED: Organisation = { key: 'unnamed', name: 'SimpleFIN' };
/** The longest part of an id of a vendor that is used as it is. */
const MOST_KEY_CHARACTERS = 100;
/** Words of the texts of version 1 that ask the person to act. */
const ATTENTION = /attention|auth|sign[ -]?in|log[ -]?in|reconnect|credential|password/i;

/**
 * The accounts by consent. Version 2 names the login of each account (`conn_id`); version 1 only its organisation, so
 * that a consent is identified by one of its accounts: two people who use the same institution stay apart.
 *
 * @param host of the server, which is part of every id
 */
export function groupsOf(set: WireObject, host: string): readonly Group[] {
  const connections = new Map(
    list(set, 'connections').flatMap((row) => {
      const id = idText(row, 'conn_id', 'id');
      return id === null ? [] : [[id, row] as const];
    }),
  );
  const troubles = troublesOf(set);
  const grouped = new Map<string, { login: string | null; org: Organisation; rows: WireObject[] }>();
  for (const row of list(set, 'accounts')) {
    const login = idText(row, 'conn_id');
    const org = organisationOf(row, login === null ? null : (connections.get(login) ?? null));
    const key = JSON.stringify([login, login === null ? org.key : '']);
    const group = grouped.get(key) ?? { login, org, rows: [] };
    group.rows.push(row);
    grouped.set(key, group);
  }
  // A login whose accounts were all closed is still shared.
  for (const [login, row] of connections) {
    const key = JSON.stringify([login, '']);
    if (!grouped.has(key)) grouped.set(key, { login, org: organisationOf({}, row), rows: [] });
  }
  return [...grouped.values()].map(({ login, org, rows }) => {
    const ids = rows.flatMap((row) => idText(row, 'id') ?? []).toSorted();
    const consents =
      login === null
        ? ids.map((id) => digestOf('organisation', host, org.key, id))
        : [digestOf('login', host, login)];
    const prefix = digestOf('account', host, org.key).slice(0, 16);
    return {
      consent: consents[0] ?? digestOf('organisation', host, org.key),
      consents: new Set(consents),
      institution: { id: institutionId(host, org.key), name: org.name },
      accounts: rows.map((row) => {
        const id = idText(row, 'id');
        return {
          id: id === null ? null : `${prefix}:${id}`,
          row,
          failed: id !== null && troubles.accounts.has(id),
        };
      }),
      loginLost: troubles.loginLost(login, org, grouped.size),
    };
  });
}

function organisationOf(account: WireObject, connection: WireObject | null): Organisation {
  const org = inner(account, 'org');
  const name =
    (org === null ? null : nameText(org, 'name', 'domain')) ??
    (connection === null ? null : (nameText(connection, 'org_name') ?? nameText(connection, 'name'))) ??
    nameText(account, 'conn_name');
  const key =
    (org === null ? null : (text(org, 'id') ?? text(org, 'domain') ?? text(org, 'name'))) ??
    (connection === null ? null : (text(connection, 'org_id') ?? text(connection, 'sfin_url')));
  return { key: key ?? name ?? UNNAMED.key, name: name ?? UNNAMED.name };
}

/** Contains the host, so that no server can open the breaker of an institution of another. */
function institutionId(host: string, key: string): string {
  return `${host}/${key}`.length <= MOST_KEY_CHARACTERS ? `${host}/${key}` : digestOf('org', host, key);
}

interface Troubles {
  readonly accounts: ReadonlySet<string>;
  loginLost(login: string | null, org: Organisation, groups: number): boolean;
}

/** Whether the server lists no account because of an error, which says nothing about what is shared. */
export function listsNothing(set: WireObject): boolean {
  const errors = list(set, 'errlist').length + texts(set, 'errors').length;
  return errors > 0 && list(set, 'accounts').length === 0;
}

/** What the server reports as wrong, which concerns only what it names. */
function troublesOf(set: WireObject): Troubles {
  const errors = list(set, 'errlist').map((error) => ({
    code: text(error, 'code') ?? '',
    login: idText(error, 'conn_id'),
    account: idText(error, 'account_id'),
  }));
  const accounts = new Set(
    errors.flatMap(({ code, account }) => (code === 'act.failed' && account !== null ? [account] : [])),
  );
  const lost = new Set(
    errors.flatMap(({ code, login }) => (/^con\.auth\b/.test(code) && login !== null ? [login] : [])),
  );
  const everywhere = errors.some(({ code, login }) => /^(?:gen|con)\.auth\b/.test(code) && login === null);
  // Version 2 has codes for what the person has to do; its texts may be about anything, such as too many requests.
  const said = Array.isArray(set.errlist)
    ? []
    : texts(set, 'errors').filter((message) => ATTENTION.test(message));
  return {
    accounts,
    loginLost: (login, { name }, groups) => {
      if (everywhere || (login !== null && lost.has(login))) return true;
      // A text without the name of any institution can only be assigned where there is one.
      return said.some((message) => message.includes(name)) || (groups === 1 && said.length > 0);
    },
  };
}
