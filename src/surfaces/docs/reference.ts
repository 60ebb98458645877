import {
  type DescribedOperation,
  groupsOf,
  isAbout,
} from '../../vocabulary/description/described-operation.ts';
import type { Description, Schema } from '../../vocabulary/description/description-document.ts';
import { EXAMPLES } from '../../vocabulary/description/examples.ts';
import { type Field, fieldsOf, nameOf, typeOf, valuesOf } from '../../vocabulary/description/fields.ts';
import { sampleRequest, sampleValues } from '../../vocabulary/description/sample-request.ts';
import { type Html, html } from '../http/html.ts';
import { REFERENCE } from '../text/documentation.ts';
import type { DocsPage } from './documents.ts';

const JSON_TYPE = 'application/json';
const MOST_VALUES = 24;

/**
 * Every operation of v2 in its group, or those that `text` is about. The application shows the same at
 * `/developer/reference`, from the same description by the same functions of `src/vocabulary/description/`.
 */
export function referenceIndex(description: Description, text: string): DocsPage {
  const groups = groupsOf(description)
    .map((group) => ({ ...group, operations: group.operations.filter((one) => isAbout(one, text)) }))
    .filter(({ operations }) => operations.length > 0);
  const count = groups.flatMap(({ operations }) => operations).length;
  return {
    title: REFERENCE.title,
    body: html`<h1>${REFERENCE.title}</h1>
<p>${REFERENCE.intro(description.servers[0]?.url ?? '')}</p>
<form class="search" role="search" action="docs">
<label for="q">${REFERENCE.search}</label>
<div><input id="q" name="q" type="search" maxlength="100" value="${text}" autocomplete="off" aria-describedby="q-hint"><button>${REFERENCE.find}</button></div>
<small id="q-hint">${REFERENCE.searchHint}</small>
</form>
<p role="status">${count === 0 ? REFERENCE.noneText(text) : REFERENCE.found(count)}${
      text === '' ? html`` : html` <a href="docs">${REFERENCE.all}</a>`
    }</p>
${groups.map(
  ({
    tag,
    text: about,
    operations,
  }) => html`<section class="card" id="${tag}"><h2>${REFERENCE.group(tag)}</h2>
<p class="muted">${codeWords(about)}</p>
<ul class="operations">${operations.map(
    ({ id, method, path, summary, scopes }) =>
      html`<li><a href="docs/operations/${id}">${badge(method)}<span>${summary}<code>${path}</code></span><code class="scope">${
        scopes.length === 0 ? REFERENCE.anyKey : scopes.join(' + ')
      }</code></a></li>`,
  )}</ul></section>`,
)}`,
  };
}

interface Around {
  /** Leads to the root of the service, with a trailing slash. */
  readonly root: string;
  /** Whether there is a web application, in which the operation can be tried. */
  readonly hasApp: boolean;
}

/** One operation with everything about it. */
export function operationPage(
  operation: DescribedOperation,
  description: Description,
  { root, hasApp }: Around,
): DocsPage {
  const { schemas } = description.components;
  const { facts } = REFERENCE;
  const { id, method, path, summary, text, scopes, tier, body, bodyRequired, alsoByPatch } = operation;
  const tiers: Readonly<Record<string, string>> = REFERENCE.tiers;
  return {
    title: summary,
    body: html`<p class="up"><a href="${root}docs">${REFERENCE.title}</a></p>
<h1>${summary}</h1>
<p class="address">${badge(method)} <code>${path}</code></p>
${text === '' ? html`` : html`<p>${codeWords(text)}</p>`}
<dl>
<dt>${facts.name}</dt><dd><code>${id}</code></dd>
<dt>${facts.scope}</dt><dd>${scopes.length === 0 ? REFERENCE.anyKey : scopes.join(REFERENCE.and)}</dd>
<dt>${facts.tier}</dt><dd>${tiers[tier] ?? tier}</dd>
${alsoByPatch ? html`<dt>${facts.also}</dt><dd>${facts.byPatch}</dd>` : html``}
</dl>
${card(REFERENCE.parameters, parameters(operation, schemas))}
${
  body === null
    ? html``
    : card(
        REFERENCE.body,
        html`${bodyRequired ? html`` : html`<p class="muted">${REFERENCE.optional}</p>`}${fieldList(fieldsOf(body.schema, schemas), true)}`,
      )
}
${card(REFERENCE.example, examples(operation, description, { root, hasApp }))}
${card(REFERENCE.answer, answer(operation, schemas))}
${card(
  REFERENCE.errors,
  html`<p class="muted">${REFERENCE.errorsAside}</p>
<ul class="errors">${operation.errors.map(
    ({ status, code, summary: meaning }) =>
      html`<li><span>${status}</span><a href="${root}docs/errors#${code}"><code>${code}</code></a><span>${meaning}</span></li>`,
  )}</ul>`,
)}`,
  };
}

function card(title: string, body: Html): Html {
  return html`<section class="card"><h2>${title}</h2>
${body}
</section>`;
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function parameters({ parameters: all }: DescribedOperation, schemas: Schemas): Html {
  if (all.length === 0) return html`<p>${REFERENCE.noParameters}</p>`;
  return fieldList(
    all.map(({ name, in: place, required, description = '', schema }) => ({
      name,
      type: place === 'header' ? REFERENCE.header : REFERENCE.placed(typeOf(schema, schemas), place),
      required,
      text: description,
      values: place === 'header' ? [] : valuesOf(schema, schemas),
      fields: [],
    })),
    true,
  );
}

type Schemas = Readonly<Record<string, Schema>>;

/** Members with their types and meanings. Nested members open below. */
function fieldList(fields: readonly Field[], required: boolean): Html {
  return html`<ul class="fields">${fields.map(
    (field) =>
      html`<li><p><code><strong>${field.name}</strong></code> <span class="muted">${field.type}</span>${
        required && field.required ? html` <span class="required">${REFERENCE.required}</span>` : html``
      }</p>${field.text === '' ? html`` : html`<p class="muted">${codeWords(field.text)}</p>`}${values(field.values)}${
        field.fields.length === 0
          ? html``
          : html`<details><summary>${REFERENCE.members(field.name)}</summary>${fieldList(field.fields, required)}</details>`
      }</li>`,
  )}</ul>`;
}

function values(all: readonly string[]): Html {
  if (all.length < 2) return html``;
  const shown = all
    .slice(0, MOST_VALUES)
    .map((value, at) => html`${at === 0 ? '' : ', '}<code>${value}</code>`);
  const rest = all.length - MOST_VALUES;
  return html`<p class="muted">${REFERENCE.oneOf}: ${shown}${rest > 0 ? ` ${REFERENCE.moreValues(rest)}` : ''}</p>`;
}

/** A request that runs as it is, in each language. */
function examples(operation: DescribedOperation, description: Description, { root, hasApp }: Around): Html {
  const request = sampleRequest(operation, description, sampleValues(operation, description));
  const reads = operation.method === 'GET';
  return html`<p class="muted">${REFERENCE.exampleAside}</p>
${Object.values(EXAMPLES).map(
  ({ name, write }) => html`<h3>${name}</h3>
<pre><code>${write(request)}</code></pre>`,
)}
${
  hasApp
    ? html`<p><a href="${root}developer/reference/${operation.id}">${reads ? REFERENCE.tryIt : REFERENCE.fillIn}</a></p>`
    : html``
}`;
}

/** The response to a successful request. */
function answer({ answers, answerStatus }: DescribedOperation, schemas: Schemas): Html {
  const json = answers[JSON_TYPE];
  if (json === undefined) {
    return html`<p class="muted">${answerStatus}: ${REFERENCE.file(Object.keys(answers))}</p>`;
  }
  const { name, list } = nameOf(json.schema, schemas);
  return html`<p class="muted">${REFERENCE.answerOf(answerStatus, list ? REFERENCE.listOf(name) : name)}</p>
${fieldList(fieldsOf(json.schema, schemas), false)}
${
  json.example === undefined
    ? html``
    : html`<details><summary>${REFERENCE.exampleAnswer}</summary><pre><code>${JSON.stringify(json.example, null, 2)}</code></pre></details>`
}`;
}

const PART = /`([^`]*)`|[^`]+/g;

/** Text in which what is between backticks is code, as the description of v2 writes it. */
function codeWords(text: string): Html {
  return html`${[...text.matchAll(PART)].map(({ 0: plain, 1: code }) =>
    code === undefined ? html`${plain}` : html`<code>${code}</code>`,
  )}`;
}
