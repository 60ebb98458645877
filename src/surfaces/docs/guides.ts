import { readdir, readFile } from 'node:fs/promises';
import { Html, html } from '../http/html.ts';
import { GUIDES } from '../text/documentation.ts';
import type { DocsPage } from './documents.ts';
import { GUIDE_FOLDERS, GUIDE_GROUPS } from './guide-groups.ts';
import { type RenderedPage, renderMarkdown } from './markdown.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

interface Listed {
  /** Below `/docs/`: `webhooks`, `decisions/0030-mcp`. */
  readonly name: string;
  readonly title: string;
}

interface Group {
  readonly title: string;
  readonly pages: readonly Listed[];
}

/** The pages of `docs/` and of its folders. Each file is read and rendered once, when it is first shown. */
export class Guides {
  readonly #rendered = new Map<string, Promise<RenderedPage>>();
  #names: Promise<ReadonlySet<string>> | null = null;
  #groups: Promise<readonly Group[]> | null = null;

  /** A page by its name below `/docs/`; null if there is none. `up` leads from it to `/docs/`. */
  async page(name: string, up: string): Promise<DocsPage | null> {
    const rendered = await this.#read(name);
    if (rendered === null) return null;
    const groups = await this.#grouped();
    return {
      title: rendered.title,
      contents: contents(groups, name, up),
      body: new Html(rendered.body),
    };
  }

  /** All pages in their groups, or those whose title has every word of `text`. */
  async index(text: string): Promise<DocsPage> {
    const groups = await this.#grouped();
    const words = text.toLowerCase().split(/\s+/);
    const found = groups
      .map(({ title, pages }) => ({
        title,
        pages: pages.filter((page) => words.every((word) => page.title.toLowerCase().includes(word))),
      }))
      .filter(({ pages }) => pages.length > 0);
    const count = found.flatMap(({ pages }) => pages).length;
    return {
      title: GUIDES.title,
      body: html`<h1>${GUIDES.title}</h1>
<form class="search" role="search" action="guides">
<label for="q">${GUIDES.search}</label>
<div><input id="q" name="q" type="search" maxlength="100" value="${text}" autocomplete="off"><button>${GUIDES.find}</button></div>
</form>
${
  text === ''
    ? html``
    : html`<p role="status">${count === 0 ? GUIDES.none(text) : GUIDES.found(count, text)} <a href="guides">${GUIDES.all}</a></p>`
}
<div class="groups">${found.map(
        ({ title, pages }) => html`<section><h2>${title}</h2>
<ul>${pages.map(({ name, title: of }) => html`<li><a href="${name}">${of}</a></li>`)}</ul></section>`,
      )}</div>`,
    };
  }

  async #read(name: string): Promise<RenderedPage | null> {
    const names = await this.#all();
    if (!names.has(name)) return null;
    const rendered =
      this.#rendered.get(name) ??
      readFile(new URL(`${name}.md`, FOLDER), 'utf8').then((source) => renderMarkdown(source, names, name));
    this.#rendered.set(name, rendered);
    return rendered;
  }

  #all(): Promise<ReadonlySet<string>> {
    this.#names ??= Promise.all(['', ...GUIDE_FOLDERS.map(({ folder }) => `${folder}/`)].map(namesIn)).then(
      (names) => new Set(names.flat()),
    );
    return this.#names;
  }

  #grouped(): Promise<readonly Group[]> {
    this.#groups ??= this.#readGroups();
    return this.#groups;
  }

  async #readGroups(): Promise<readonly Group[]> {
    const listed = async (name: string): Promise<Listed[]> => {
      const page = await this.#read(name);
      return page === null ? [] : [{ name, title: page.title }];
    };
    const all = [...(await this.#all())];
    const folders = GUIDE_FOLDERS.map(({ folder, title }) => ({
      title,
      pages: all.filter((name) => name.startsWith(`${folder}/`)),
    }));
    const groups = [...GUIDE_GROUPS, ...folders];
    return Promise.all(
      groups.map(async ({ title, pages }) => ({
        title,
        pages: (await Promise.all(pages.map(listed))).flat(),
      })),
    );
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(new URL(folder, FOLDER));
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}${file.slice(0, -'.md'.length)}`)
    .toSorted();
}

/** The titles of the group that the page is in, and of the others when they are opened. */
function contents(groups: readonly Group[], here: string, up: string): Html {
  return html`<nav class="contents" aria-label="${GUIDES.title}">${groups.map(({ title, pages }) => {
    const open = pages.some(({ name }) => name === here);
    return html`<details${open ? html` open` : html``}><summary>${title}</summary>
<ul>${pages.map(
      ({ name, title: of }) =>
        html`<li><a href="${up}${name}"${name === here ? html` aria-current="page"` : html``}>${of}</a></li>`,
    )}</ul></details>`;
  })}</nav>`;
}
