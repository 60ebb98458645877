import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleFile, providerNotSetUp, typeNotSetUp } from '../../src/vocabulary/consoles.ts';

test('who asks for what the operator has not set up is led to the page about its vendor, if it has one', () => {
  assert.equal(
    typeNotSetUp('sheets'),
    'Destinations of type sheets are not set up on this service. How the operator does that: docs/consoles/google.md.',
  );
  assert.equal(typeNotSetUp('csv_folder'), 'Destinations of type csv_folder are not set up on this service.');
  assert.match(providerNotSetUp('enable_banking'), /docs\/consoles\/enable-banking\.md\.$/);
  assert.equal(
    providerNotSetUp('statement_files'),
    'The provider statement_files is not set up on this service.',
  );
});

test('a name that is of no integration has no page', () => {
  for (const name of ['', 'weka', 'toString', '__proto__']) assert.equal(consoleFile(name), null);
});
