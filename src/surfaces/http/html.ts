/** Markup that is already safe to send. Only `html` makes it, and what renders markup of our own. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose every value is escaped for text and for quoted attributes, unless it is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + markup(values[at - 1] ?? '') + part));
}

/** Text escaped for markup and for quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}

function markup(value: Value): string {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Html ? value.text : value.map((item) => item.text).join('');
}
