import { alert, type Choice, choice, escapeHtml, hidden, page } from '../shared/html.ts';

/** Outcomes other than consenting; the same on every step. */
function wayOut(action: string, fields: string): string {
  return (
    `<details><summary>Try what happens when it does not work</summary><form method="post" action="${action}/complete">${fields}` +
    '<p><label for="error_type">Failure to simulate</label><select id="error_type" name="error_type">' +
    '<option value="CONSENT_UPSTREAM_PROCESSING_ERROR">Bank could not process it</option>' +
    '<option value="CONSENT_OTP_FAILURE">Wrong one-time password</option>' +
    '<option value="CONSENT_ENDUSER_INELIGIBLE">Person is not eligible</option>' +
    '<option value="CONSENT_TIMEOUT">Timed out</option></select></p>' +
    '<p class="row"><button name="outcome" value="fail">Fail</button><button name="outcome" value="deny">Deny</button>' +
    '<button name="outcome" value="cancel">Cancel</button></p></form></details>'
  );
}

/** Step 1: which bank. */
export function bankPage(action: string, banks: readonly Choice[], problem: string | null): string {
  return page(
    'Choose your bank',
    `${alert(problem)}<form method="post" action="${action}/institution"><fieldset><legend>Bank</legend>` +
      `${banks.map((bank, index) => choice('radio', 'institution_id', bank, index === 0)).join('')}</fieldset>` +
      `<p class="row stays"><button class="lead">Continue</button></p></form>${wayOut(action, '')}`,
  );
}

/** Step 2: who. `anyRows` adds the field for a customer with N rows. */
export function loginPage(
  action: string,
  bank: { readonly id: string; readonly name: string },
  customers: readonly Choice[],
  anyRows: boolean,
  problem: string | null,
): string {
  const fields = hidden('institution_id', bank.id);
  const other = anyRows
    ? '<p><label for="other_customer">Or another customer number</label>' +
      '<input type="text" id="other_customer" name="other_customer" placeholder="rows:50000" autocomplete="off" aria-describedby="rows-help"></p>' +
      '<p class="note" id="rows-help">rows:N is a customer with exactly N transactions.</p>'
    : '';
  return page(
    `Log in to ${bank.name}`,
    `${alert(problem)}<form method="post" action="${action}/login">${fields}<fieldset><legend>Who are you today?</legend>` +
      `${customers.map((customer, index) => choice('radio', 'customer', customer, index === 0)).join('')}</fieldset>${other}` +
      `<p class="row stays"><button class="lead">Log in</button></p></form>${wayOut(action, fields)}`,
  );
}

/** Step 3: which accounts, and yes or no. */
export function accountsPage(
  action: string,
  bank: { readonly id: string; readonly name: string },
  customer: { readonly customer: string; readonly name: string },
  accounts: readonly Choice[],
  permissions: readonly string[],
  problem: string | null,
): string {
  const fields = hidden('institution_id', bank.id) + hidden('customer', customer.customer);
  return page(
    `Share accounts of ${customer.name}?`,
    `${alert(problem)}<p>${escapeHtml(bank.name)} will share ${escapeHtml(permissions.join(', ').replaceAll('_', ' '))} for twelve months. ` +
      'You can stop it at any time.</p>' +
      `<form method="post" action="${action}/complete">${fields}${hidden('accounts_shown', '1')}` +
      `<fieldset><legend>Accounts</legend>${accounts.map((account) => choice('checkbox', 'account_id', account, true)).join('')}</fieldset>` +
      '<p class="row"><button class="lead" name="outcome" value="approve">Consent</button>' +
      '<button name="outcome" value="deny">Deny</button><button name="outcome" value="cancel">Cancel</button></p></form>' +
      wayOut(action, fields),
  );
}

/** A page that ends the visit without going back to the application. */
export function endPage(title: string, text: string): string {
  return page(title, `<p>${escapeHtml(text)}</p>`);
}
