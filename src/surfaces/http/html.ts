/** Markup that is safe to send. Only `html` creates it, and code that renders our own markup. */
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

/** A template that escapes every value for text and for quoted attributes, unless the value is markup itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + markup(values[at - 1] ?? '') + part));
}

/**
 * An element that loads a script. Not by a template: compilers rewrite templates with its closing tag, in case they are
 * part of a script themselves.
 */
export function scriptElement(address: string, attributes: 'defer' | 'type="module" crossorigin'): Html {
  return new Html(['<script ', attributes, ' src="', escaped(address), '"></script>'].join(''));
}

/** Escapes text for markup and for quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}

function markup(value: Value): string {
  if (typeof value === 'string') return escaped(value);
  return value instanceof Html ? value.text : value.map((item) => item.text).join('');
}
