import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import { signInQuery } from '../http/sign-in-query.ts';
import type { OAuthSurfaceOptions } from './oauth-surface-options.ts';

/** Who is signed in in the browser that sent the request, or null. */
export async function signedIn(
  { headers }: FastifyRequest,
  { sessions }: Pick<OAuthSurfaceOptions, 'sessions'>,
): Promise<SignedIn | null> {
  const secret = sessions.credentialIn({ cookie: headers.cookie });
  return secret === null ? null : sessions.find(secret);
}

/** The address at which a person signs in and then returns to the path; again, if `stale` is their session. */
export function signInAddress(appUrl: string, path: string, stale: SignedIn | null = null): string {
  const record = stale?.caller.accountRecord.id ?? null;
  return `${appUrl}/sign-in${signInQuery(path, { fresh: stale !== null, record })}`;
}
