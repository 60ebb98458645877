/** A form of a page as a browser would see it, with what it would send untouched. */
export type PageForm = {
  readonly method: 'get' | 'post';
  /** As written; relative to the page. */
  readonly action: string;
  readonly fields: readonly FormField[];
  readonly buttons: readonly FormButton[];
};
export type FormField = {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
  readonly checked: boolean;
};
export type FormButton = { readonly name: string | null; readonly value: string };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The forms of an HTML page, in order: enough of HTML for pages that are plain forms. */
export function formsOf(html: string): readonly PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map(([, head = '', body = '']) => {
    const attributes = attributesOf(head);
    return {
      method: attributes.get('method')?.toLowerCase() === 'post' ? 'post' : 'get',
      action: attributes.get('action') ?? '',
      fields: [...body.matchAll(/<input\b([^>]*)>/gi)].flatMap(([, text = '']) =>
        fieldOf(attributesOf(text)),
      ),
      buttons: [...body.matchAll(/<button\b([^>]*)>/gi)].map(([, text = '']) => {
        const button = attributesOf(text);
        return { name: button.get('name') ?? null, value: button.get('value') ?? '' };
      }),
    };
  });
}

/** Addresses of the page's links. */
export function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<a\b([^>]*)>/gi)].flatMap(
    ([, text = '']) => attributesOf(text).get('href') ?? [],
  );
}

/** Whether a browser would ask for another page by itself. */
export function refreshesItself(html: string): boolean {
  return /<meta\b[^>]*http-equiv="refresh"/i.test(html);
}

/** What the page says of a problem, if it does. */
export function alertOf(html: string): string | null {
  const found = /<[a-z]+\b[^>]*role="alert"[^>]*>([\s\S]*?)<\//i.exec(html)?.[1];
  return found === undefined ? null : textOf(found);
}

/** The page's heading. */
export function headingOf(html: string): string {
  return textOf(/<h1\b[^>]*>([\s\S]*?)<\/h1>/i.exec(html)?.[1] ?? 'a page without a heading');
}

function fieldOf(attributes: ReadonlyMap<string, string>): FormField[] {
  const name = attributes.get('name');
  if (name === undefined || name === '') return [];
  const kind = attributes.get('type')?.toLowerCase() ?? 'text';
  return [{ name, kind, value: attributes.get('value') ?? '', checked: attributes.has('checked') }];
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([a-z][a-z0-9_:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gi)].map(
      ([, name = '', double, single, bare]) => [name.toLowerCase(), decoded(double ?? single ?? bare ?? '')],
    ),
  );
}

function textOf(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (typeof decimal === 'string') return String.fromCodePoint(Number(decimal));
    if (typeof hex === 'string') return String.fromCodePoint(Number.parseInt(hex, 16));
    return ENTITIES[String(name).toLowerCase()] ?? whole;
  });
}
