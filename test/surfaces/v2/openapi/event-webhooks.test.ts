import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventBody } from '../../../../src/features/events/event-body.ts';
import { EVENT_KIND_NAMES, EVENT_KINDS } from '../../../../src/vocabulary/event-kinds.ts';
import { rowId } from '../../../../src/vocabulary/ids.ts';
import { misfits } from '../../../support/described-schema.ts';
import { description, resolved } from '../../../support/description.ts';

const document = description();
const subject = '0192f0c4-8c4c-7490-be6d-4bd9be387d68';

test('the description has a webhook for every kind of event, and for nothing else', () => {
  assert.deepEqual(Object.keys(document.webhooks), EVENT_KIND_NAMES);
});

describe('the webhook of a kind', () => {
  for (const kind of EVENT_KIND_NAMES) {
    test(`${kind} has a schema that takes events of this kind and no other`, () => {
      const place = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json', 'schema'];
      const content = document.webhooks[kind].post.requestBody.content['application/json'];
      const { properties } = resolved(content.schema);
      assert.equal(properties.type.const, kind);
      assert.equal(properties.related_object.properties.object.const, EVENT_KINDS[kind].of);
      assert.deepEqual(misfits(place, content.example), []);

      const owner = rowId('account_record', subject);
      const sent = { id: rowId('event', subject), account_record: owner, subject, created: new Date() };
      const fitting = EVENT_KIND_NAMES.filter(
        (other) => misfits(place, eventBody({ ...sent, kind: other })).length === 0,
      );
      assert.deepEqual(fitting, [kind]);
    });
  }
});
