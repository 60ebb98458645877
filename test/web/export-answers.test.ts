import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, UnreachableError } from '#client';
import { exportFile, rowsIn } from '../../web/src/api/pieces.ts';

interface Row {
  readonly id: string;
}

/** An answer that arrives in these pieces and then ends, or is aborted. */
function answer(
  pieces: readonly (string | Uint8Array<ArrayBuffer>)[],
  { broken = false, headers = {}, onCancel = () => {} }: AnswerOptions = {},
): Response {
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = left.shift();
      if (piece !== undefined) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      } else if (broken) controller.error(new TypeError('network error'));
      else controller.close();
    },
    cancel: onCancel,
  });
  return new Response(body, { headers });
}

interface AnswerOptions {
  readonly broken?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onCancel?: () => void;
}

const FORM = { 'content-type': 'multipart/form-data; boundary=frontier' };

async function idsIn(response: Response, ids: string[] = []): Promise<readonly string[]> {
  for await (const { id } of rowsIn<Row>(response)) ids.push(id);
  return ids;
}

describe('the answers of exports', () => {
  test('rows are the same wherever the network divides them, within a character too', async () => {
    const bytes = new TextEncoder().encode('{"id":"a"}\n{"id":"é"}\n');
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual(await idsIn(answer([bytes.slice(0, at), bytes.slice(at)])), ['a', 'é']);
    }
  });

  test('a failure that the service writes at the end is raised with its words, to be tried again', async () => {
    const ids: string[] = [];
    const failing = answer(['{"id":"a"}\n', '{"error":{"message":"The bank is away."}}\n'], { broken: true });
    await assert.rejects(
      idsIn(failing, ids),
      (error) => error instanceof ApiError && error.message === 'The bank is away.' && error.status === 502,
    );
    assert.deepEqual(ids, ['a']);
  });

  test('an answer that is cut off, or ends within a row, is no whole', async () => {
    await assert.rejects(idsIn(answer(['{"id":"a"}\n'], { broken: true })), UnreachableError);
    await assert.rejects(idsIn(answer(['{"id":"a"}\n{"id"'])), UnreachableError);
    const cut = answer(
      ['--frontier\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na,b\n'],
      {
        broken: true,
        headers: FORM,
      },
    );
    await assert.rejects(exportFile(cut), UnreachableError);
    await assert.rejects(exportFile(answer(['--frontier--\r\n'], { headers: FORM })), UnreachableError);
  });

  test('nothing more is read once the rows are enough', async () => {
    let cancelled = false;
    const long = answer(
      Array.from({ length: 1_000 }, () => '{"id":"a"}\n'),
      {
        onCancel: () => {
          cancelled = true;
        },
      },
    );
    for await (const _ of rowsIn<Row>(long)) break;
    assert.equal(cancelled, true);
  });

  test('a file has every byte and the name that the service gives it, says how far it is, and what it lacks', async () => {
    const seen: number[] = [];
    const pieces = [
      '--frontier\r\nContent-Disposition: form-data; name="file"; filename="joint.csv"\r\nContent-Type: text/csv\r\n\r\na,b\n',
      '1,2\n',
      '\r\n--frontier\r\nContent-Disposition: form-data; name="set_aside"\r\nContent-Type: application/json\r\n\r\n[{"account":"acct_1","rows":3}]\r\n--frontier--\r\n',
    ];
    const { file, lacking } = await exportFile(answer(pieces, { headers: FORM }), (bytes) => {
      seen.push(bytes);
    });
    assert.deepEqual(lacking, [{ account: 'acct_1', rows: 3 }]);
    assert.equal(await file.text(), 'a,b\n1,2\n');
    assert.equal(file.name, 'joint.csv');
    assert.equal(file.type, 'text/csv');
    const ends = pieces.map((_, at) => pieces.slice(0, at + 1).join('').length);
    assert.deepEqual(seen, ends);
  });
});
