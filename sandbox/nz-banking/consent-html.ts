import { alert, type Choice, choice, escapeHtml, hidden, page } from '../shared/html.ts';

/** Step 1: who. */
export function loginPage(action: string, people: readonly Choice[], problem: string | null): string {
  return page(
    'Sign in',
    `${alert(problem)}<form method="post" action="${action}/login"><fieldset><legend>Who are you today?</legend>` +
      `${people.map((person, index) => choice('radio', 'customer', person, index === 0)).join('')}</fieldset>` +
      '<p><label for="other_customer">Or another log-in</label>' +
      '<input type="text" id="other_customer" name="other_customer" placeholder="rows:50000" autocomplete="off" aria-describedby="other-help"></p>' +
      '<p class="note" id="other-help">rows:N has exactly N transactions; a name with +2 behind it is somebody else of the same habits.</p>' +
      `<p class="row"><button class="lead">Sign in</button></p></form>${wayOut(action)}`,
  );
}

/** Step 2: which banks, and yes or no. */
export function banksPage(
  action: string,
  person: { readonly customer: string; readonly name: string },
  banks: readonly (Choice & { readonly ticked: boolean })[],
  problem: string | null,
): string {
  return page(
    `Share banks of ${person.name}?`,
    `${alert(problem)}<p>The application will see accounts, balances and transactions until you stop it.</p>` +
      `<form method="post" action="${action}/complete">${hidden('customer', person.customer)}` +
      `<fieldset><legend>Banks</legend>${banks.map((bank) => choice('checkbox', 'institution_id', bank, bank.ticked)).join('')}</fieldset>` +
      '<p class="row"><button class="lead" name="outcome" value="approve">Share</button>' +
      '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form>' +
      wayOut(action),
  );
}

/** A page that ends the visit without going back to the application. */
export function endPage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}

function wayOut(action: string): string {
  return (
    '<details><summary>Try what happens when it does not work</summary>' +
    `<form method="post" action="${action}/complete"><p class="row"><button name="outcome" value="fail">Fail</button>` +
    '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form></details>'
  );
}
