import { escapeHtml } from '../shared/html.ts';
import { htmlReply, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { decimalOf, formattedOf } from './currency.ts';
import type { HeldTransaction, Plan } from './plan.ts';
import type { World } from './world.ts';

const ROWS_OF_A_PAGE = 200;

const COLUMNS = ['Date', 'Payee', 'Category', 'Memo', 'Outflow', 'Inflow', 'Cleared'] as const;
type Column = (typeof COLUMNS)[number];
const NUMBERS: ReadonlySet<string> = new Set<Column>(['Outflow', 'Inflow']);

/** Pages that show the contents of each plan: a list, and the register of each account. */
export class RegisterPages {
  readonly #world: World;
  readonly #pagesUrl: () => string;

  constructor(world: World, pagesUrl: () => string) {
    this.#world = world;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /` */
  plans(): Reply {
    const sections = this.#world.plans.map((plan) => {
      const rows = plan.accounts.map((account) => {
        const { cleared, uncleared } = plan.balance(account.id);
        const state = account.deleted ? 'deleted' : account.closed ? 'closed' : 'open';
        return (
          `<tr><th scope="row"><a href="${this.#link(accountPath(plan, account.id))}">${escapeHtml(account.name)}</a></th>` +
          `<td>${state}</td><td class="number">${registerOf(plan, account.id).length}</td>` +
          `<td class="number">${escapeHtml(formattedOf(cleared + uncleared, plan.currency))}</td></tr>`
        );
      });
      return (
        `<section><h2>${escapeHtml(plan.name)} <small>${plan.currency.code}</small></h2><div class="wide"><table>` +
        '<thead><tr><th>Account</th><th>State</th><th class="number">Transactions</th><th class="number">Balance</th></tr></thead>' +
        `<tbody>${rows.join('')}</tbody></table></div></section>`
      );
    });
    return htmlReply(200, registerPage('Plans', sections.join('')));
  }

  /** `GET /plans/:plan/accounts/:account?page=2` */
  register({ params, query }: SimulatedRequest): Reply {
    const plan = this.#world.plans.find(({ id }) => id === params.plan);
    const account = plan?.accounts.find(({ id }) => id === params.account);
    if (plan === undefined || account === undefined) {
      return htmlReply(
        404,
        registerPage('No such account', `<p><a href="${this.#link('/')}">All plans</a></p>`),
      );
    }
    const all = registerOf(plan, account.id);
    const last = Math.max(1, Math.ceil(all.length / ROWS_OF_A_PAGE));
    const page = Math.min(last, Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1));
    const shown = all.slice((page - 1) * ROWS_OF_A_PAGE, page * ROWS_OF_A_PAGE);
    const head = COLUMNS.map((name) => `<th${classOf(name)}>${name}</th>`).join('');
    const body = shown.map((one) => rowHtml(plan, one)).join('');
    const to = (number: number, text: string): string =>
      `<a href="${this.#link(accountPath(plan, account.id))}?page=${number}">${text}</a>`;
    const pages = (where: string): string =>
      `<nav aria-label="Pages, ${where}">${page > 1 ? to(page - 1, 'Newer') : ''} <span>Page ${page} of ${last}</span> ` +
      `${page < last ? to(page + 1, 'Older') : ''}</nav>`;
    const table =
      all.length === 0
        ? '<p class="note">No transactions yet.</p>'
        : `<div class="wide" tabindex="0" role="region" aria-label="Transactions"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
    return htmlReply(
      200,
      registerPage(
        account.name,
        `<p><a href="${this.#link('/')}">All plans</a> · ${escapeHtml(plan.name)} · ${plan.currency.code} · ` +
          `${all.length} transactions</p>${pages('above')}${table}${pages('below')}`,
      ),
    );
  }

  #link(path: string): string {
    return escapeHtml(`${new URL(this.#pagesUrl()).pathname.replace(/\/$/, '')}${path}`);
  }
}

export function accountPath(plan: Plan, account: string): string {
  return `/plans/${plan.id}/accounts/${account}`;
}

/** The transactions of an account, newest first. */
function registerOf(plan: Plan, account: string): HeldTransaction[] {
  const found: HeldTransaction[] = [];
  for (const one of plan.all()) if (!one.deleted && one.account === account) found.push(one);
  return found.sort((a, b) => (a.date > b.date ? -1 : a.date < b.date ? 1 : 0));
}

/** What the register shows of a transaction, by column. */
export function shownValues(plan: Plan, one: HeldTransaction): Readonly<Record<Column, string>> {
  const { amount, category, parts } = one;
  const named = category === null ? '' : (plan.category(category)?.name ?? '');
  const money = decimalOf(Math.abs(amount), plan.currency);
  return {
    Date: one.date,
    Payee: one.payee ?? '',
    Category: parts.length > 0 ? 'Split' : named,
    Memo: one.memo ?? '',
    Outflow: amount < 0 ? money : '',
    Inflow: amount < 0 ? '' : money,
    Cleared: one.cleared,
  };
}

function rowHtml(plan: Plan, one: HeldTransaction): string {
  const values = shownValues(plan, one);
  const cells = COLUMNS.map((name) => {
    const text = values[name];
    const inner =
      text === '' ? '<span class="empty" aria-label="empty">–</span>' : `<bdi>${escapeHtml(text)}</bdi>`;
    return `<td${classOf(name)}>${inner}</td>`;
  });
  return `<tr${one.approved ? '' : ' class="new"'}>${cells.join('')}</tr>`;
}

const classOf = (name: string): string => (NUMBERS.has(name) ? ' class="number"' : '');

const STYLE = `
:root{color-scheme:light dark;--ink:#1b2230;--soft:#5d6880;--line:#d5dbe6;--paper:#fff;--back:#eef1f7;--lead:#3446a8;--new:#f4f6ff}
@media(prefers-color-scheme:dark){:root{--ink:#e8ebf3;--soft:#a3adc2;--line:#364056;--paper:#171c28;--back:#0d1119;--lead:#9aa8ff;--new:#1c2336}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:76rem;margin:1.5rem auto;padding:1.25rem 1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.4rem;line-height:1.25;margin:.25rem 0 .75rem}h2{font-size:1.1rem;margin:1.5rem 0 .5rem}small,.note{color:var(--soft);font-weight:400}
a{color:var(--lead)}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
thead th{position:sticky;top:0;background:var(--paper);font-size:.85rem;color:var(--soft)}tbody th{font-weight:500}
td{white-space:pre-wrap;overflow-wrap:anywhere;min-width:6.5rem}td:nth-child(4){min-width:14rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.empty{color:var(--soft)}tr.new{background:var(--new)}
nav{display:flex;gap:1rem;margin:.75rem 0}
`;

/** A whole page of the simulator, wide enough for a register. */
function registerPage(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)} – simulated YNAB</title><style>${STYLE}</style></head><body><main>` +
    `<p class="note">Simulated YNAB. Nothing here is real.</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}
