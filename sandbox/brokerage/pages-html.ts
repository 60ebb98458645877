import { alert, type Choice, choice, escapeHtml, hidden, page } from '../shared/html.ts';

/** The codes with which the vendor's page sends people back. */
export const PORTAL_ERRORS: Readonly<Record<string, { readonly status: string; readonly label: string }>> = {
  '1066': { status: '403', label: 'The broker refused the password' },
  '3000': { status: '500', label: 'The broker could not be reached' },
  '1006': { status: '400', label: 'No sign-in is in progress any more' },
  '1012': { status: '400', label: 'The link is not as it should be' },
  '1023': { status: '400', label: 'Signed in to another account than before' },
  '1140': { status: '403', label: 'The key given may not read' },
  '1086': { status: '400', label: 'Wrong second factor' },
  '0000': { status: '401', label: 'Unknown user' },
};

/** Outcomes other than connecting; the same on every step. */
function wayOut(action: string, fields: string): string {
  const options = Object.entries(PORTAL_ERRORS).map(
    ([code, { label }]) => `<option value="${code}">${escapeHtml(label)}</option>`,
  );
  return (
    `<details><summary>Try what happens when it does not work</summary><form method="post" action="${action}/complete">${fields}` +
    `<p><label for="error_code">Failure to simulate</label><select id="error_code" name="error_code">${options.join('')}</select></p>` +
    '<p class="row"><button name="outcome" value="fail">Fail</button>' +
    '<button name="outcome" value="cancel">Close</button></p></form></details>'
  );
}

/** Step 1: which broker. */
export function brokerPage(action: string, brokers: readonly Choice[], problem: string | null): string {
  return page(
    'Choose your broker',
    `${alert(problem)}<form method="post" action="${action}/institution"><fieldset><legend>Broker</legend>` +
      `${brokers.map((broker, index) => choice('radio', 'institution_id', broker, index === 0)).join('')}</fieldset>` +
      `<p class="row"><button class="lead">Continue</button></p></form>${wayOut(action, '')}`,
  );
}

/** Step 2: who. */
export function loginPage(
  action: string,
  broker: { readonly slug: string; readonly name: string },
  customers: readonly Choice[],
  anyRows: boolean,
  problem: string | null,
): string {
  const fields = hidden('institution_id', broker.slug);
  const other = anyRows
    ? '<p><label for="other_customer">Or another log-in</label>' +
      '<input type="text" id="other_customer" name="other_customer" placeholder="rows:50000" autocomplete="off" aria-describedby="rows-help"></p>' +
      '<p class="note" id="rows-help">rows:N is a person with exactly N trades.</p>'
    : '';
  return page(
    `Log in to ${broker.name}`,
    `${alert(problem)}<form method="post" action="${action}/login">${fields}<fieldset><legend>Who are you today?</legend>` +
      `${customers.map((customer, index) => choice('radio', 'customer', customer, index === 0)).join('')}</fieldset>${other}` +
      `<p class="row"><button class="lead">Log in</button></p></form>${wayOut(action, fields)}`,
  );
}

/** The valid code. */
export const RIGHT_CODE = '246810';

/** Step 3, for people who have one: the second factor. */
export function secondFactorPage(
  action: string,
  fields: Readonly<Record<string, string>>,
  problem: string | null,
): string {
  const sent = hiddenFields(fields);
  const codes: readonly Choice[] = [
    { value: RIGHT_CODE, label: RIGHT_CODE, detail: 'The code that was sent' },
    { value: '000000', label: '000000', detail: 'A wrong one' },
  ];
  return page(
    'Enter your code',
    `${alert(problem)}<form method="post" action="${action}/second-factor">${sent}<fieldset><legend>Code</legend>` +
      `${codes.map((code, index) => choice('radio', 'code', code, index === 0)).join('')}</fieldset>` +
      `<p class="row"><button class="lead">Continue</button></p></form>${wayOut(action, sent)}`,
  );
}

/** Last step: yes or no. */
export function consentPage(
  action: string,
  broker: { readonly name: string },
  fields: Readonly<Record<string, string>>,
  accounts: readonly string[],
): string {
  const sent = hiddenFields(fields);
  const list = accounts.map((account) => `<li>${escapeHtml(account)}</li>`).join('');
  return page(
    `Connect ${broker.name}?`,
    `<p>${escapeHtml(broker.name)} will let these accounts be read, and nothing be traded.</p><ul>${list}</ul>` +
      `<form method="post" action="${action}/complete">${sent}` +
      '<p class="row"><button class="lead" name="outcome" value="approve">Connect</button>' +
      `<button name="outcome" value="deny">Do not connect</button></p></form>${wayOut(action, sent)}`,
  );
}

/** A page that ends the visit. */
export function endPage(title: string, text: string, back: string | null = null): string {
  const link = back === null ? '' : `<p><a href="${escapeHtml(back)}">Back to the application</a></p>`;
  return page(title, `<p>${escapeHtml(text)}</p>${link}`);
}

function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => hidden(name, value))
    .join('');
}
