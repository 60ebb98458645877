import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { askServer } from '../../../src/surfaces/cli/control/control-client.ts';
import {
  findControlPath,
  prepareControlPath,
  removeControlPath,
} from '../../../src/surfaces/cli/control/control-path.ts';
import { CONTROL_LINE_BYTES } from '../../../src/surfaces/cli/control/control-protocol.ts';
import { serveControl } from '../../../src/surfaces/cli/control/control-server.ts';
import { CommandFailure } from '../../../src/surfaces/cli/failure.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('A command reaches the running server, and its result or refusal comes back', async (t) => {
  const directory = await temporaryDirectory(t);
  const server = await serveControl(await prepareControlPath(directory), async ({ command, args }) =>
    command === 'echo'
      ? { ok: true, result: args, text: 'Echoed.', again: null, warning: null, exit_code: 0 }
      : { ok: false, message: 'No such command.', exit_code: 2 },
  );
  t.after(() => server.close());
  const args = { name: 'ünï', list: [1, null] };
  assert.deepEqual(await askServer(directory, { command: 'echo', args }), {
    result: args,
    text: 'Echoed.',
    again: null,
    warning: null,
    exit_code: 0,
  });
  await assert.rejects(askServer(directory, { command: 'other', args: {} }), (error) => {
    assert.ok(error instanceof CommandFailure);
    assert.equal(error.message, 'No such command.');
    assert.equal(error.exitCode, 2);
    return true;
  });
});

test('Where no server runs, asking says so, also when a dead one left its socket', async (t) => {
  const directory = await temporaryDirectory(t);
  assert.equal(await askServer(directory, { command: 'echo', args: {} }), null);
  await writeFile(join(directory, 'control.sock'), '');
  assert.equal(await askServer(directory, { command: 'echo', args: {} }), null);
});

test('A server replaces a socket that a killed one left behind', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'control.sock'), '');
  const server = await serveControl(await prepareControlPath(directory), async () => ({
    ok: true,
    result: 1,
    text: '1',
    again: null,
    warning: null,
    exit_code: 0,
  }));
  t.after(() => server.close());
  assert.deepEqual(await askServer(directory, { command: 'x', args: {} }), {
    result: 1,
    text: '1',
    again: null,
    warning: null,
    exit_code: 0,
  });
});

test('The socket can be opened by its owner alone', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = await prepareControlPath(directory);
  const server = await serveControl(path, async () => ({
    ok: true,
    result: null,
    text: '',
    again: null,
    warning: null,
    exit_code: 0,
  }));
  t.after(() => server.close());
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('A path too long for a socket is replaced by a private directory that goes with the server', async (t) => {
  const directory = join(await temporaryDirectory(t), 'd'.repeat(120));
  const temporary = await temporaryDirectory(t);
  const path = await prepareControlPath(directory, temporary);
  assert.ok(Buffer.byteLength(path) <= 100, path);
  assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
  assert.equal(await readFile(join(directory, 'control.path'), 'utf8'), path);
  assert.equal(await findControlPath(directory), path);
  const server = await serveControl(path, async () => ({
    ok: true,
    result: 'short',
    text: '',
    again: null,
    warning: null,
    exit_code: 0,
  }));
  assert.deepEqual(await askServer(directory, { command: 'x', args: {} }), {
    result: 'short',
    text: '',
    again: null,
    warning: null,
    exit_code: 0,
  });
  await server.close();
  await removeControlPath(directory);
  await assert.rejects(stat(dirname(path)), { code: 'ENOENT' });
  await assert.rejects(stat(join(directory, 'control.path')), { code: 'ENOENT' });
});

test('A pointer to a directory that no server made removes nothing there', async (t) => {
  const directory = await temporaryDirectory(t);
  const precious = join(await temporaryDirectory(t), 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'control.sock'), 'x');
  await writeFile(join(directory, 'control.path'), join(precious, 'control.sock'));
  await removeControlPath(directory);
  assert.equal(await readFile(join(precious, 'control.sock'), 'utf8'), 'x');
});

test('Lines that are too long, no JSON or no request end the connection or get a refusal', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = await prepareControlPath(directory);
  const server = await serveControl(path, async () => ({
    ok: true,
    result: null,
    text: '',
    again: null,
    warning: null,
    exit_code: 0,
  }));
  t.after(() => server.close());
  const answered = async (line: string): Promise<string> => {
    const socket = connect(path);
    socket.on('error', () => undefined);
    socket.write(line);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await once(socket, 'close');
    return text;
  };
  assert.match(await answered('nonsense\n'), /"ok":false/);
  assert.match(await answered('{"command":1,"args":{}}\n'), /"ok":false/);
  assert.equal(await answered(`${'x'.repeat(CONTROL_LINE_BYTES + 10)}`), '');
});

test('An answer of another version is refused in words, not taken for a result', async (t) => {
  const directory = await temporaryDirectory(t);
  const answers = [
    '{"ok":true,"result":1,"text":"1"}',
    '{"ok":false,"message":"No.","exit_code":1.5}',
    '"yes"',
    'null',
  ];
  const server = createServer((socket) => socket.end(`${answers.shift()}\n`));
  t.after(() => server.close());
  server.listen(await prepareControlPath(directory));
  await once(server, 'listening');
  while (answers.length > 0)
    await assert.rejects(
      askServer(directory, { command: 'account list', args: {} }),
      /answered account list in a format this version does not know\. Restart it with this version\./,
    );
});
