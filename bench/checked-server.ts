import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { build } from '../src/app/build.ts';
import { LIMITS_ASIDE } from '../src/app/demo/limits-aside.ts';
import { readConfig } from '../src/app/read-config.ts';
import { createAdmit } from '../src/operations/admit.ts';
import { operation } from '../src/operations/operation.ts';
import { JsonText, OperationRequest } from '../src/operations/operation-request.ts';
import { NOTHING } from '../src/operations/parameters.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { admitting, callerOf, decorateWithCaller } from '../src/surfaces/http/caller-context.ts';
import { admittanceOf, idempotencyKeyOf } from '../src/surfaces/v2/routes.ts';
import { SCOPES } from '../src/vocabulary/scopes.ts';
import { say, settingsOf } from './lib/child.ts';

/**
 * One Fastify route that returns fixed bytes: bare, or with what v2 does before and around every operation:
 * authentication, rate limits, version, plan, scope and the handling of Idempotency-Key. Nothing else differs.
 */
const PATH = '/measured';
const BODY = JSON.stringify({ object: 'measured', text: 'x'.repeat(600) });
const NEVER = new AbortController().signal;
const NO_INCLUDES: ReadonlySet<string> = new Set();
const settings = settingsOf();
let answered = 0;

const server = fastify();
server.get('/usage', () => ({ cpu: process.cpuUsage(), answered }));
const secret = settings.checks === true ? await mountChecked(server) : mountBare(server);
say({ url: await server.listen({ host: '127.0.0.1', port: 0 }), path: PATH, secret });

function mountBare(on: FastifyInstance): null {
  on.route({ method: ['GET', 'POST'], url: PATH, handler: (_request, reply) => answer(reply, BODY) });
  return null;
}

async function mountChecked(on: FastifyInstance): Promise<string> {
  const config = readConfig({
    DATA_DIR: String(settings.dataDir),
    LOG_LEVEL: 'error',
    ...LIMITS_ASIDE,
    ...(settings.databaseUrl === null ? {} : { DATABASE_URL: String(settings.databaseUrl) }),
    ...(settings.redisUrl === null ? {} : { REDIS_URL: String(settings.redisUrl) }),
  });
  const app = await build(config, { log: createLog({ level: config.logLevel }), clock: systemClock });
  // A caller is cached only if a notice that their key was revoked would arrive.
  await app.notices.start();
  const { services, authentication, rateLimits } = app;
  const admit = createAdmit(rateLimits, services.clock);
  decorateWithCaller(on);
  for (const method of ['GET', 'POST'] as const) {
    const measured = operation({
      id: 'measured',
      summary: 'Answers fixed bytes',
      method,
      path: PATH,
      scope: method === 'GET' ? 'data:read' : 'syncs:write',
      tier: method === 'GET' ? 'cheap' : 'mutating',
      response: NOTHING,
      handle: async () => new JsonText(BODY),
    });
    on.route({
      method,
      url: PATH,
      onRequest: admitting(admittanceOf(measured, services), admit, authentication),
      handler: async (request, reply) => {
        const context = {
          caller: callerOf(request),
          services,
          from: null,
          idempotencyKey: idempotencyKeyOf(request),
          signal: () => NEVER,
          header: (name: string, value: string) => void reply.header(name, value),
        };
        const asked = { params: {}, query: {}, body: {}, include: NO_INCLUDES };
        const { text } = await measured.answer(new OperationRequest(asked, context));
        return answer(reply, text);
      },
    });
  }
  const owner = await services.accountRecords.create({ email: 'bench@example.test' });
  const key = await services.apiKeys.create(owner.id, { name: 'bench', scopes: SCOPES }, null);
  return key.secret;
}

function answer(reply: FastifyReply, text: string): FastifyReply {
  answered += 1;
  return reply.type('application/json; charset=utf-8').send(text);
}
