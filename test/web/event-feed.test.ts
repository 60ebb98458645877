import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type ServiceEvent, serverSentEvents, UnreachableError } from '#client';
import { type FeedSource, type FeedState, followFeed } from '../../web/src/api/event-feed.ts';

const eventOf = (id: string): ServiceEvent => ({
  id,
  object: 'event',
  type: 'sync_run.started',
  created: '2026-11-24T05:00:00.000Z',
  livemode: true,
  account_record: 'acc_1',
  related_object: { id: 'run_1', object: 'sync_run', url: 'https://hub.example.com/v2/sync_runs/run_1' },
  data: null,
});
const textOf = (id: string) => `id: ${id}\nevent: sync_run.started\ndata: ${JSON.stringify(eventOf(id))}\n\n`;

function stream(...pieces: readonly string[]): Response {
  return new Response(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))));
}

function brokenOff(...pieces: readonly string[]): Response {
  const reset = async function* () {
    for (const piece of pieces) yield new TextEncoder().encode(piece);
    throw new TypeError('the connection was reset');
  };
  return new Response(ReadableStream.from(reset()));
}

function refusal(status: number): ApiError {
  return new ApiError('Refused.', {
    status,
    type: null,
    code: null,
    param: null,
    docUrl: null,
    requestId: null,
    retryAfterMs: null,
  });
}

type Answer = Response | Error;

/** Follows until the source has given every answer it has; says what came of it. */
async function follow(answers: readonly Answer[], lists: readonly (readonly string[])[] = []) {
  const end = new AbortController();
  const behind: (string | null)[] = [];
  const events: string[] = [];
  const states: FeedState[] = [];
  let gaps = 0;
  const waiting = [...answers];
  const listed = [...lists];
  const source: FeedSource = {
    open: async (id) => {
      behind.push(id);
      const answer = waiting.shift();
      if (answer === undefined) end.abort();
      if (answer === undefined || answer instanceof Error) throw answer ?? new UnreachableError('over');
      return answer;
    },
    latest: async () => (listed.shift() ?? []).map(eventOf),
    pause: async () => undefined,
  };
  await followFeed(
    source,
    { id: null },
    {
      onEvent: ({ id }) => events.push(id),
      onGap: () => {
        gaps += 1;
      },
      onState: (state) => states.push(state),
    },
    end.signal,
  );
  return { behind, events, states, gaps };
}

test('messages are read alike wherever the stream was cut into pieces', async () => {
  const text = `retry: 3000\n\n${textOf('evt_1')}:\n\n${textOf('evt_2')}`;
  for (let size = 1; size < text.length; size++) {
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const messages = await Array.fromAsync(serverSentEvents(stream(...pieces)));
    assert.deepEqual(
      messages.map(({ id, data }) => [id, JSON.parse(data).id]),
      [
        ['evt_1', 'evt_1'],
        ['evt_2', 'evt_2'],
      ],
    );
  }
});

test('a stream that is cut off is resumed behind its last event, without a gap', async () => {
  const { behind, events, gaps } = await follow([
    brokenOff('retry: 3000\n\n', textOf('evt_1')),
    stream('retry: 3000\n\n', textOf('evt_2')),
  ]);
  assert.deepEqual(behind, [null, 'evt_1', 'evt_2']);
  assert.deepEqual(events, ['evt_1', 'evt_2']);
  assert.equal(gaps, 1, 'only the first stream began without a place');
});

test('a place that the service no longer knows is given up, and what may be missed is read again', async () => {
  const { behind, gaps } = await follow([
    stream('retry: 3000\n\n', textOf('evt_1')),
    refusal(400),
    stream('retry: 3000\n\n'),
  ]);
  assert.deepEqual(behind, [null, 'evt_1', null, null]);
  assert.equal(gaps, 2);
});

test('while no stream can be opened, events come once each from the list', async () => {
  const { events, states, gaps } = await follow(
    [refusal(429), refusal(429), stream('retry: 3000\n\n', textOf('evt_4'))],
    [['evt_1'], ['evt_3', 'evt_2', 'evt_1'], ['evt_3', 'evt_2', 'evt_1'], ...Array(9).fill(['evt_3'])],
  );
  assert.deepEqual(events, ['evt_2', 'evt_3', 'evt_4']);
  assert.deepEqual(states, ['connecting', 'polling', 'live', 'connecting']);
  assert.equal(gaps, 2, 'at the first list, and where the stream begins again');
});

test('a stream that opens and says nothing is a failure, as a proxy that holds it back makes it', async () => {
  const { states } = await follow([brokenOff(), brokenOff()]);
  assert.ok(states.includes('polling'));
  assert.ok(!states.includes('live'));
});

test('someone who may not read events is not asked again', async () => {
  const { behind, states } = await follow([refusal(403), stream(textOf('evt_1'))]);
  assert.deepEqual(behind, [null]);
  assert.deepEqual(states, ['connecting', 'off']);
});
