import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Type } from 'typebox';
import type { Operation } from '../../../../src/operations/operation.ts';
import { OPERATIONS } from '../../../../src/operations/operation-table.ts';
import { GROUP_DOCS, RESOURCE_DOCS } from '../../../../src/operations/v2/docs/reference.ts';
import { arrayName, resource } from '../../../../src/operations/v2/schema/conventions.ts';
import { declaredErrors, statusesOf } from '../../../../src/surfaces/v2/openapi/declared-errors.ts';
import { patchId, tagOf } from '../../../../src/surfaces/v2/openapi/operation-object.ts';
import { SchemaComponents } from '../../../../src/surfaces/v2/openapi/schema-components.ts';
import { ERROR_CODES } from '../../../../src/vocabulary/error-codes.ts';
import { misfits } from '../../../support/described-schema.ts';
import { description, type Json, resolved } from '../../../support/description.ts';

const document = description();

function templateOf(operation: Operation): string {
  return operation.path.replaceAll(/:(\w+)/g, '{$1}');
}

function placeOf(operation: Operation): string[] {
  return ['paths', templateOf(operation), operation.method.toLowerCase()];
}

function described(operation: Operation): Json {
  return document.paths[templateOf(operation)][operation.method.toLowerCase()];
}

describe('every operation', () => {
  test('is described once by each method that reaches it, and nothing else is', () => {
    const ids = Object.values<Json>(document.paths).flatMap((item) =>
      Object.values<Json>(item).map(({ operationId }) => operationId),
    );
    const expected = OPERATIONS.flatMap((one) => (one.update ? [one.id, patchId(one)] : [one.id]));
    assert.deepEqual(ids.toSorted(), expected.toSorted());
    assert.equal(new Set(ids).size, ids.length);
  });

  for (const operation of OPERATIONS) {
    test(`${operation.id} tells its scope, tier, errors and what it takes`, () => {
      const operationObject = described(operation);
      assert.equal(operationObject['x-service-scope'], operation.scope);
      assert.equal(operationObject['x-service-tier'], operation.tier);
      assert.equal(operationObject.summary, operation.summary);
      assert.ok(
        GROUP_DOCS[tagOf(operation)] !== undefined,
        `say what the group ${tagOf(operation)} is about: GROUP_DOCS`,
      );
      const parameters = operationObject.parameters.map((one: Json) => resolved(one).name);
      for (const one of operationObject.parameters) {
        const { name, description: said } = resolved(one);
        assert.ok(said, `say under docs.sent of ${operation.id} what ${name} means`);
      }
      const expected = Object.entries(operation.query.properties).map(([name, schema]) =>
        'type' in schema && schema.type === 'array' ? arrayName(name, schema) : name,
      );
      for (const name of [...expected, 'Service-Version']) assert.ok(parameters.includes(name), name);
      assert.equal(parameters.includes('Idempotency-Key'), operation.effect !== 'reads');
      assert.equal(parameters.includes('include[]'), operation.includes.length > 0);
      assert.deepEqual(codesOf(operationObject), [...declaredErrors(operation)].toSorted());
      for (const code of declaredErrors(operation)) {
        for (const status of statusesOf(code)) {
          const { examples } = resolved(operationObject.responses[status]).content['application/json'];
          assert.equal(resolved(examples[code]).value.error.code, code);
        }
      }
    });

    test(`${operation.id} has an example of its answer, and of its body where it takes one, that fit`, () => {
      const operationObject = described(operation);
      const { content: bodies } = operationObject.responses[operation.status];
      if (operation.streamed !== null) {
        assert.deepEqual(Object.keys(bodies), operation.streamed.mediaTypes);
        for (const type of operation.streamed.mediaTypes)
          assert.deepEqual(bodies[type].schema, { type: 'string' });
        return;
      }
      const answer = bodies['application/json'];
      assert.ok(answer.example !== undefined, `${operation.id} has no example answer: add one to its docs`);
      const place = placeOf(operation);
      const content = ['content', 'application/json', 'schema'];
      const answerPlace = [...place, 'responses', String(operation.status), ...content];
      assert.deepEqual(misfits(answerPlace, answer.example), []);
      if (Object.keys(operation.body.properties).length === 0) return;
      const { example } = operationObject.requestBody.content['application/json'];
      assert.ok(example !== undefined, `${operation.id} has no example body: add one to its docs`);
      assert.deepEqual(misfits([...place, 'requestBody', ...content], example), []);
    });
  }
});

function codesOf(operationObject: Json): string[] {
  const codes = Object.values<Json>(operationObject.responses).flatMap(
    (response) => resolved(response)['x-service-error-codes'] ?? [],
  );
  return [...new Set<string>(codes)].toSorted();
}

describe('the docs of operations and resources', () => {
  test('every group has operations', () => {
    const groups = new Set(OPERATIONS.map(tagOf));
    assert.deepEqual(
      Object.keys(GROUP_DOCS).filter((group) => !groups.has(group)),
      [],
    );
  });

  test('no operation explains a member that it does not take', () => {
    for (const { id, query, body, docs } of OPERATIONS) {
      const taken = { ...query.properties, ...body.properties };
      assert.deepEqual(
        Object.keys(docs.sent ?? {}).filter((name) => !Object.hasOwn(taken, name)),
        [],
        id,
      );
    }
  });

  for (const [name, { fields = {}, example }] of Object.entries(RESOURCE_DOCS)) {
    test(`${name} explains no field that it lacks, and its example fits its schema`, () => {
      const schema = document.components.schemas[name];
      assert.ok(schema !== undefined, `no schema is named ${name}`);
      assert.deepEqual(
        Object.keys(fields).filter((field) => schema.properties[field] === undefined),
        [],
      );
      assert.deepEqual(misfits(['components', 'schemas', name], example), []);
    });
  }

  test('every resource is described', () => {
    const resources = Object.entries<Json>(document.components.schemas).filter(
      ([name, schema]) => schema.properties?.object?.const === name,
    );
    assert.ok(resources.length >= 14);
    for (const [name, schema] of resources) {
      assert.ok(
        schema.description !== undefined && schema.examples !== undefined,
        `say what ${name} is, with an example, among the docs of its resource`,
      );
    }
  });
});

test('every code is declared by an operation, but for those that no operation answers', () => {
  const declared = new Set<string>(OPERATIONS.flatMap(declaredErrors));
  const elsewhere = {
    route_missing: 'there is no operation',
    destination_link_complete_failed: 'a page of the person who links',
  };
  assert.deepEqual(
    Object.keys(ERROR_CODES)
      .filter((code) => !declared.has(code))
      .toSorted(),
    Object.keys(elsewhere).toSorted(),
  );
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]);
  assert.ok(references.length > 500);
  for (const $ref of new Set(references)) assert.ok(resolved({ $ref }) !== undefined, $ref);
});

test('nothing of the schema library or of another release leaks into the description', () => {
  const text = JSON.stringify(document);
  for (const word of ['$comment', '~kind', '~optional', 'undefined']) assert.ok(!text.includes(word), word);
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '2026-10-01.wattle');
});

test('two resources of one name and two shapes are refused', () => {
  const components = new SchemaComponents();
  components.refer(resource('thing', { id: Type.String() }));
  components.refer(resource('thing', { id: Type.String() }));
  assert.throws(() => components.refer(resource('thing', { id: Type.Integer() })), /both named thing/);
});
