import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../features/sign-in/session-authenticator.ts';
import type { OAuthSurfaceOptions } from './oauth-surface-options.ts';

/** Who is signed in in the browser that sent the request, or null. */
export async function signedIn(
  { headers }: FastifyRequest,
  { sessions }: Pick<OAuthSurfaceOptions, 'sessions'>,
): Promise<SignedIn | null> {
  const secret = sessions.credentialIn({ cookie: headers.cookie });
  return secret === null ? null : sessions.find(secret);
}

/** The address at which a person signs in and then returns to the path. */
export function signInAddress(appUrl: string, path: string): string {
  return `${appUrl}/sign-in?next=${encodeURIComponent(path)}`;
}
