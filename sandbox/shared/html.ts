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
@media(prefers-color-scheme:dark){:root{--ink:#e9f0ee;--soft:#a5b5b1;--line:#3c4a47;--paper:#182120;--back:#0e1514;--lead:#29817a}}
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
.stays{position:sticky;bottom:0;margin-bottom:0;padding:.75rem 0;background:var(--paper)}details{margin-top:1.25rem}summary{cursor:pointer;color:var(--soft)}
`;

/** A whole page of a simulator. */
export function page(title: string, body: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>` +
    '<p class="note">Sandbox bank connection. Nothing here is real.</p>' +
    `<h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

export const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/** What is wrong with the input, if anything. */
export const alert = (text: string | null): string =>
  text === null ? '' : `<p class="alert" role="alert">${escapeHtml(text)}</p>`;

/** One of several things to choose on a page. */
export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
  readonly image?: string;
};

export function choice(kind: 'radio' | 'checkbox', name: string, entry: Choice, checked: boolean): string {
  const image = entry.image === undefined ? '' : `<img src="${escapeHtml(entry.image)}" alt="">`;
  return (
    `<label class="choice"><input type="${kind}" name="${name}" value="${escapeHtml(entry.value)}"${checked ? ' checked' : ''}>` +
    `${image}<span>${escapeHtml(entry.label)}<small>${escapeHtml(entry.detail)}</small></span></label>`
  );
}
