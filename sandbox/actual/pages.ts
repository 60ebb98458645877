import { escapeHtml } from '../shared/html.ts';
import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import {
  COLUMNS,
  type Column,
  decimalOf,
  type ShownTransaction,
  shownTransactions,
  shownValues,
} from './register.ts';
import type { HeldBudget, World } from './world.ts';

const ROWS_OF_A_PAGE = 200;
const NUMBERS: ReadonlySet<string> = new Set<Column>(['Payment', 'Deposit']);

/** Pages that show the contents of each budget: a list, and the register of each account. */
export class RegisterPages {
  readonly #world: World;
  readonly #pagesUrl: () => string;
  /** What a person enters to connect the server. */
  readonly #secret: () => string;

  constructor(world: World, pagesUrl: () => string, secret: () => string) {
    this.#world = world;
    this.#pagesUrl = pagesUrl;
    this.#secret = secret;
  }

  /** `GET /` */
  budgets(): Reply {
    const sections = this.#world.budgets
      .filter(({ served }) => !served.deleted)
      .map((budget) => this.#section(budget));
    const hint = `<p>To connect it: <code>${escapeHtml(this.#secret())}</code></p>`;
    return htmlReply(200, registerPage('Budgets', hint + sections.join('')));
  }

  /** `GET /budgets/:budget/accounts/:account?page=2` */
  register({ params, query }: SimulatedRequest): Reply {
    const budget = this.#world.budgets.find(({ served }) => served.id === params.budget);
    budget?.device.sync();
    const account =
      budget?.device.first('SELECT name FROM accounts WHERE id = ?', params.account ?? '') ?? null;
    if (budget === undefined || account === null) {
      const back = `<p><a href="${this.#link('/')}">All budgets</a></p>`;
      return htmlReply(404, registerPage('No such account', back));
    }
    const all = shownTransactions(budget.device, params.account);
    const last = Math.max(1, Math.ceil(all.length / ROWS_OF_A_PAGE));
    const page = Math.min(last, Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
    const shown = all.slice((page - 1) * ROWS_OF_A_PAGE, page * ROWS_OF_A_PAGE);
    const to = (number: number, text: string): string =>
      `<a href="${this.#link(accountPath(budget, params.account ?? ''))}?page=${number}">${text}</a>`;
    const pages = (where: string): string =>
      `<nav aria-label="Pages, ${where}">${page > 1 ? to(page - 1, 'Newer') : ''} <span>Page ${page} of ${last}</span> ` +
      `${page < last ? to(page + 1, 'Older') : ''}</nav>`;
    const head = COLUMNS.map((name) => `<th${classOf(name)}>${name}</th>`).join('');
    const table =
      all.length === 0
        ? '<p class="note">No transactions yet.</p>'
        : `<div class="wide" tabindex="0" role="region" aria-label="Transactions"><table><thead><tr>${head}</tr></thead><tbody>${shown.map((one) => rowHtml(budget, one)).join('')}</tbody></table></div>`;
    const where = `<p><a href="${this.#link('/')}">All budgets</a> · ${escapeHtml(budget.served.name)} · ${all.length} transactions</p>`;
    return htmlReply(
      200,
      registerPage(String(account.name), `${where}${pages('above')}${table}${pages('below')}`),
    );
  }

  #section(budget: HeldBudget): string {
    const { device, served, currency } = budget;
    device.sync();
    const accounts = device.all('SELECT * FROM accounts WHERE tombstone = 0 ORDER BY offbudget, sort_order');
    const rows = accounts.map((account) => {
      const found = shownTransactions(device, String(account.id));
      const balance = found.reduce((sum, { amount }) => sum + amount, 0);
      const state = account.closed === 1 ? 'closed' : account.offbudget === 1 ? 'off budget' : 'on budget';
      return (
        `<tr><th scope="row"><a href="${this.#link(accountPath(budget, String(account.id)))}">${escapeHtml(String(account.name))}</a></th>` +
        `<td>${state}</td><td class="number">${found.length}</td>` +
        `<td class="number">${decimalOf(balance, currency)}</td></tr>`
      );
    });
    return (
      `<section><h2>${escapeHtml(served.name)} <small>${currency}</small></h2><div class="wide"><table>` +
      '<thead><tr><th>Account</th><th>State</th><th class="number">Transactions</th><th class="number">Balance</th></tr></thead>' +
      `<tbody>${rows.join('')}</tbody></table></div></section>`
    );
  }

  #link(path: string): string {
    return escapeHtml(`${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}${path}`);
  }
}

export function accountPath({ served }: HeldBudget, account: string): string {
  return `/budgets/${served.id}/accounts/${account}`;
}

function rowHtml(budget: HeldBudget, one: ShownTransaction): string {
  const values = shownValues(budget, one);
  const cells = COLUMNS.map((name) => {
    const text = values[name];
    const inner =
      text === '' ? '<span class="empty" aria-label="empty">–</span>' : `<bdi>${escapeHtml(text)}</bdi>`;
    return `<td${classOf(name)}>${inner}</td>`;
  });
  return `<tr>${cells.join('')}</tr>`;
}

const classOf = (name: string): string => (NUMBERS.has(name) ? ' class="number"' : '');

const STYLE = `
:root{color-scheme:light dark;--ink:#201b30;--soft:#655d80;--line:#dbd5e6;--paper:#fff;--back:#f1eef7;--lead:#6a34a8}
@media(prefers-color-scheme:dark){:root{--ink:#ebe8f3;--soft:#ada3c2;--line:#403656;--paper:#1b1728;--back:#100d19;--lead:#c39aff}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:76rem;margin:1.5rem auto;padding:1.25rem 1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.4rem;line-height:1.25;margin:.25rem 0 .75rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}small,.note{color:var(--soft);font-weight:400}
a{color:var(--lead)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{position:sticky;top:0;background:var(--paper);font-size:.85rem;color:var(--soft)}tbody th{font-weight:500}
td{white-space:pre-wrap;overflow-wrap:anywhere;min-width:6.5rem}td:nth-child(3){min-width:14rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.empty{color:var(--soft)}
nav{display:flex;gap:1rem;margin:.75rem 0}code{overflow-wrap:anywhere}
`;

/** A whole page of the simulator, wide enough for a register. */
function registerPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – simulated Actual Budget</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated Actual Budget. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
