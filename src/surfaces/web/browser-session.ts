import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visit } from '../../features/sign-in/session-cookie.ts';
import type { NewlySignedIn } from '../../features/sign-in/sign-in.ts';
import { cookieOf, cookieText } from '../../platform/cookies.ts';
import type { WebOptions } from './web-options.ts';

/** As long as browsers keep any cookie. */
const DEVICE_SECONDS = 400 * 86_400;

/** Sets the browser's session, and the proof that the person has signed in with it. */
export function rememberIn(
  reply: FastifyReply,
  { session, device }: NewlySignedIn,
  { appUrl, cookies }: WebOptions,
): void {
  const address = new URL('/', appUrl).href;
  reply.header('set-cookie', [
    cookieText({ name: cookies.session, value: session.secret, address, seconds: session.seconds }),
    cookieText({ name: cookies.device, value: device, address, seconds: DEVICE_SECONDS }),
    ...withoutFormer(reply, { appUrl, cookies }),
  ]);
}

/** Sets only that proof, and no session. */
export function knowIn(reply: FastifyReply, device: string, { appUrl, cookies }: WebOptions): void {
  const address = new URL('/', appUrl).href;
  reply.header(
    'set-cookie',
    cookieText({ name: cookies.device, value: device, address, seconds: DEVICE_SECONDS }),
  );
}

/** Deletes the browser's session cookie. */
export function forgetIn(reply: FastifyReply, { appUrl, cookies }: WebOptions): void {
  const address = new URL('/', appUrl).href;
  reply.header('set-cookie', [
    cookieText({ name: cookies.session, value: '', address, seconds: 0 }),
    ...withoutFormer(reply, { appUrl, cookies }),
  ]);
}

/** Deletes the cookies from before the service moved to https, if the browser sent them. */
function withoutFormer(
  { request }: FastifyReply,
  { appUrl, cookies: { former } }: Pick<WebOptions, 'appUrl' | 'cookies'>,
): string[] {
  if (former === null) return [];
  const address = new URL('/', appUrl).href;
  return [former.session, former.device]
    .filter((name) => cookieOf(request.headers.cookie, name) !== null)
    .map((name) => cookieText({ name, value: '', address, seconds: 0 }));
}

/** The browser behind a request. */
export function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { address: ip, cookie: headers.cookie, userAgent: headers['user-agent'] };
}
