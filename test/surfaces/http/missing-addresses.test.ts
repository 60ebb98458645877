import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { AnswerWeights } from '../../../src/surfaces/http/caller-context.ts';
import { FailedRequests } from '../../../src/surfaces/http/failed-requests.ts';
import { acceptJsonBodies } from '../../../src/surfaces/http/server.ts';
import type { Surface } from '../../../src/surfaces/http/surfaces.ts';
import { registerV2 } from '../../../src/surfaces/v2/routes.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { httpFrame, listening } from '../../support/http-frame.ts';
import { commonService, type TestService } from '../../support/service.ts';
import { rawExchange } from './raw-exchange.ts';

const answered = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('content-type', 'application/other').send(text);

/** A surface in a form that no other has. */
const other: Surface = {
  prefixes: ['/other'],
  answerMissing: (_request, reply, methods) =>
    methods.length === 0
      ? answered(reply, 404, 'other: nowhere')
      : answered(reply.header('allow', methods.join(', ')), 405, 'other: not so'),
  answerError: (thrown, _request, reply) =>
    answered(reply, thrown instanceof ServiceError ? thrown.status : 500, 'other: failed'),
};

let service: TestService;
let url: string;
let close: () => Promise<void>;
before(async () => {
  service = await commonService();
  const frame = httpFrame();
  const { server, surfaces } = frame;
  const { services, authentication, rateLimits, log, metrics } = service.app;
  const shared = {
    services,
    authentication,
    rateLimits,
    log,
    metrics,
    failures: new FailedRequests(service.app),
  };
  registerV2(server, surfaces, {
    ...shared,
    operations: [],
    notices: { onChange: () => undefined, onLost: () => undefined },
    weights: new AnswerWeights(1_000_000),
    stallMs: 30_000,
  });
  surfaces.mount(server, other, (scope) => {
    acceptJsonBodies(scope);
    scope.get('/other/rows/:id', async () => 'a row');
    scope.post('/other/rows', async () => 'made');
    scope.delete('/other/rows/:id', async () => {
      throw new Error('a stack trace with a secret');
    });
    scope.get('/other/empty', async (_request, reply) => {
      reply.callNotFound();
      return reply;
    });
  });
  surfaces.mount(server, { ...other, prefixes: ['/other/deep'], answerMissing: deep }, () => undefined);
  server.get('/plain/*', async () => 'plain');
  server.get('/plain-failure', async () => {
    throw new Error('a stack trace with a secret');
  });
  ({ url, close } = await listening(frame));
});
after(async () => {
  await close();
  await service.close();
});

function deep(_request: unknown, reply: FastifyReply): FastifyReply {
  return answered(reply, 404, 'deep: nowhere');
}

describe('below its prefix a surface answers in its own form', () => {
  const long = 'a'.repeat(10_000);
  const cases: [string, string, string, number, string][] = [
    ['an address that leads nowhere', 'GET', '/other/nothing', 404, 'other: nowhere'],
    ['the prefix itself', 'GET', '/other', 404, 'other: nowhere'],
    ['an address with a query', 'GET', '/other/nothing?a=/v2/me', 404, 'other: nowhere'],
    ['an address in absolute form', 'GET', 'http://x.test/other/nothing', 404, 'other: nowhere'],
    ['an escaped prefix', 'GET', '/%6fther/nothing', 404, 'other: nowhere'],
    ['a broken escape', 'GET', '/other/rows/%zz', 404, 'other: nowhere'],
    ['an absurd length', 'GET', `/other/rows/${long}`, 404, 'other: nowhere'],
    ['a route that finds nothing', 'GET', '/other/empty', 404, 'other: nowhere'],
    ['a method the address has not', 'PATCH', '/other/rows/1', 405, 'other: not so'],
    ['a method few know', 'PROPFIND', '/other/rows', 405, 'other: not so'],
    ['a route that fails', 'DELETE', '/other/rows/1', 500, 'other: failed'],
    ['a longer prefix inside', 'GET', '/other/deep/nothing', 404, 'deep: nowhere'],
  ];
  for (const [what, method, path, status, text] of cases) {
    test(what, async () => {
      const answer = await rawExchange(url, method, path);
      assert.deepEqual([answer.status, answer.body], [status, text]);
      assert.equal(answer.headers.get('content-type'), 'application/other');
    });
  }

  test('and names the methods the address does have', async () => {
    const answer = await rawExchange(url, 'PUT', '/other/rows/1');
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD');
  });

  const bodies: [string, Record<string, string>, string][] = [
    ['of a type nobody reads', { 'content-type': 'text/plain' }, 'hello'],
    ['that is not JSON', { 'content-type': 'application/json' }, '{'],
    ['that is too large', { 'content-type': 'application/json' }, `"${'x'.repeat(2000)}"`],
  ];
  for (const [what, headers, body] of bodies) {
    test(`to a missing address, a body ${what} is not what is wrong; to a route it is`, async () => {
      const nowhere = await rawExchange(url, 'POST', '/other/nothing', headers, body);
      assert.deepEqual([nowhere.status, nowhere.body], [404, 'other: nowhere']);
      const refused = await rawExchange(url, 'POST', '/other/rows', headers, body);
      assert.equal(refused.body, 'other: failed');
    });
  }
});

describe('v2 beside it answers in the one envelope', () => {
  const cases: [string, string][] = [
    ['GET', '/v2'],
    ['GET', '/v2/other/rows'],
    ['PUT', '/v2/me'],
    ['GET', '/v2/%zz'],
  ];
  for (const [method, path] of cases) {
    test(`${method} ${path} [code route_missing]`, async () => {
      const answer = await rawExchange(url, method, path);
      assert.equal(answer.status, 404);
      const { error } = JSON.parse(answer.body);
      assert.equal(error.code, 'route_missing');
      assert.equal(error.request_id, answer.headers.get('request-id'));
    });
  }
});

describe('outside every prefix', () => {
  test('a page repeats no sentence that someone wrote into an address', async () => {
    for (const path of ['/Your%20account%20is%20blocked', '/Your+account+is+blocked', '/%3Cb%3Ex']) {
      const { body } = await rawExchange(url, 'GET', path, { accept: 'text/html' });
      assert.match(body, /There is nothing at this address/);
      assert.ok(!/blocked|<b>/.test(body), path);
    }
  });

  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  for (const path of ['/nothing', '/otherwise', '/v2x/me', '/%zz', `/plain/${'a'.repeat(400)}/%ff`]) {
    test(`${path.slice(0, 20)} is a page to a browser and JSON to a program`, async () => {
      const page = await rawExchange(url, 'GET', path, browser);
      assert.equal(page.status, 404);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(page.body, /There is nothing at (?:this address|<code>\/[\w./-]+<\/code>)/);
      for (const way of ['/', '/docs/guides', '/sign-in'])
        assert.ok(page.body.includes(`href="${way}"`), way);
      for (const accept of [
        '*/*',
        'application/json',
        'application/json, text/html;q=0.5',
        'text/html;q=0',
      ]) {
        const answer = await rawExchange(url, 'GET', path, { accept });
        assert.equal(answer.status, 404);
        assert.equal(answer.headers.get('vary'), 'accept');
        assert.equal(JSON.parse(answer.body).error.code, 'route_missing', accept);
      }
    });
  }

  test('an address that lacks the method is 405, and says which it has', async () => {
    for (const headers of [browser, {}]) {
      const answer = await rawExchange(url, 'PUT', '/plain/a/b', headers);
      assert.equal(answer.status, 405);
      assert.equal(answer.headers.get('allow'), 'GET, HEAD');
    }
  });

  test('a failure shows neither its message nor its stack', async () => {
    for (const headers of [browser, {}]) {
      const answer = await rawExchange(url, 'GET', '/plain-failure', headers);
      assert.equal(answer.status, 500);
      assert.doesNotMatch(answer.body, /secret|\.ts/);
      assert.match(answer.body, new RegExp(answer.headers.get('request-id') ?? 'no id'));
    }
  });
});

describe('a surface is refused that', () => {
  test('wants the prefix of another', () => {
    const { server, surfaces } = httpFrame();
    surfaces.mount(server, other, () => undefined);
    assert.throws(
      () => surfaces.mount(server, other, () => undefined),
      /two surfaces want the prefix \/other/,
    );
  });

  test('has a route outside its prefixes', async () => {
    const { server, surfaces } = httpFrame();
    surfaces.mount(server, other, (scope) => void scope.get('/v2/mine', async () => ''));
    await assert.rejects(async () => server.ready(), /\/v2\/mine is outside of \/other/);
  });
});
