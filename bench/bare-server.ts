import fastify from 'fastify';
import { say, settingsOf } from './lib/child.ts';

/** The reference: one Fastify route that only returns the bytes it was given. */
const body = String(settingsOf().body);
const server = fastify();
server.get('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
say({ url: await server.listen({ host: '127.0.0.1', port: 0 }) });
