import { alert, choice, escapeHtml, page } from '../shared/html.ts';
import { PERSONAS } from './personas.ts';

/** Asks whose accounts the setup token is to share. */
export function createPage(problem: string | null): string {
  const people = PERSONAS.map(({ logIn, name, accounts }, at) =>
    choice(
      'radio',
      'customer',
      {
        value: logIn,
        label: logIn,
        detail: `${name}: ${[...new Set(accounts.map((one) => one.organisation.name))].join(', ')}`,
      },
      at === 0,
    ),
  ).join('');
  return page(
    'Create a setup token',
    `${alert(problem)}<form method="post"><fieldset><legend>Who are you?</legend>${people}
<label>Someone else, such as rows:500<input type="text" name="other_customer" autocomplete="off"></label></fieldset>
<div class="row"><button class="lead">Create setup token</button></div></form>`,
  );
}

/** Shows the token, for copying. */
export function tokenPage(token: string): string {
  return page(
    'Your setup token',
    `<p>Copy it, and paste it into the application that is to read your accounts. It works once.</p>
<label>Setup token<input type="text" name="setup_token" readonly value="${escapeHtml(token)}"></label>`,
  );
}
