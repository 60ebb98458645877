/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `
:root{color-scheme:light dark;--ink:#17211f;--soft:#5b6b67;--line:#cfd9d6;--paper:#fff;--back:#eef3f1;--lead:#16504b}
@media(prefers-color-scheme:dark){:root{--ink:#e9f0ee;--soft:#a5b5b1;--line:#3c4a47;--paper:#182120;--back:#0e1514;--lead:#2f8f85}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:2rem auto;padding:1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:14px}
h1{font-size:1.35rem;line-height:1.25;margin:.25rem 0 .5rem}p{margin:.5rem 0}.note,small{color:var(--soft)}
fieldset{border:0;padding:0;margin:1rem 0}legend{font-weight:600;padding:0;margin-bottom:.5rem}
label.choice{display:flex;gap:.75rem;align-items:flex-start;padding:.7rem .8rem;border:1px solid var(--line);border-radius:10px;margin:.4rem 0;cursor:pointer}
label.choice:focus-within{outline:3px solid var(--lead);outline-offset:1px}label.choice input{margin-top:.35rem;accent-color:var(--lead)}
label.choice img{width:32px;height:32px}label.choice small{display:block}
input[type=text],select{font:inherit;width:100%;padding:.55rem .7rem;border:1px solid var(--line);border-radius:8px;background:var(--paper);color:var(--ink)}
.row{display:flex;flex-wrap:wrap;gap:.6rem;margin-top:1rem}button{font:inherit;font-weight:600;padding:.6rem 1rem;border-radius:9px;border:1px solid var(--line);background:transparent;color:var(--ink);cursor:pointer}
button.lead{background:var(--lead);border-color:var(--lead);color:#fff}.alert{border-left:4px solid #b3402f;padding:.4rem .8rem}
details{margin-top:1.25rem}summary{cursor:pointer;color:var(--soft)}
`;

function page(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    '<p class="note">Sandbox bank connection. Nothing here is real.</p>' +
    `<h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const alert = (text: string | null): string =>
  text === null ? '' : `<p class="alert" role="alert">${escapeHtml(text)}</p>`;

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
  readonly image?: string;
};

function choice(kind: 'radio' | 'checkbox', name: string, entry: Choice, checked: boolean): string {
  const image = entry.image === undefined ? '' : `<img src="${escapeHtml(entry.image)}" alt="">`;
  return (
    `<label class="choice"><input type="${kind}" name="${name}" value="${escapeHtml(entry.value)}"${checked ? ' checked' : ''}>` +
    `${image}<span>${escapeHtml(entry.label)}<small>${escapeHtml(entry.detail)}</small></span></label>`
  );
}

/** Ways out other than consenting; the same on every step. */
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
      `<p class="row"><button class="lead">Continue</button></p></form>${wayOut(action, '')}`,
  );
}

/** Step 2: who. `anyRows` adds the field that makes a customer with N rows. */
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
      `<p class="row"><button class="lead">Log in</button></p></form>${wayOut(action, fields)}`,
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
