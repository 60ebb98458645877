import { type Html, html } from '../http/html.ts';

/** A button that does something to one row of a list; who hears the page read out learns to which. */
export function rowForm(
  address: string,
  label: string,
  of: string,
  fields: Readonly<Record<string, string>> = {},
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="row" method="post" action="${address}">${hidden}<button aria-label="${label}: ${of}">${label}</button></form>`;
}

/** A part of a page under its own heading. */
export function card(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>
${body}
</section>`;
}

/** Says that something was done. */
export function notice(text: string | null): Html {
  return text === null ? html`` : html`<p role="status">${text}</p>`;
}
