import { escapeHtml } from '../shared/html.ts';
import type { Reply } from '../shared/reply.ts';
import { htmlReply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import {
  COLUMNS,
  type Column,
  decimalOf,
  type ShownTransaction,
  shownTransactions,
  shownValues,
} from './register.ts';
import { registerPage } from './register-html.ts';
import type { HeldBudget, World } from './world.ts';

export const ROWS_OF_A_PAGE = 200;
const NUMBERS: ReadonlySet<string> = new Set<Column>(['Payment', 'Deposit']);

/** Pages on which a person sees what is in each budget: a list, and the register of each account. */
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
