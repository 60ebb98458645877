import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationLinking } from '../destination-contract.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import type { OAuth } from '../kit/oauth.ts';
import { sharesHolder, writeGrant } from '../kit/oauth-grant.ts';

/** Files that this application made, or that the person picked for it: enough for Sheets and Drive, and no other file. */
export const SCOPE = 'https://www.googleapis.com/auth/drive.file';

const Granted = Type.Object({ scope: Type.Optional(Type.String()) });

/** @param personOf Drive's id of the person whose grant is given */
export function googleLinking(
  oauth: OAuth,
  personOf: (grant: string, signal: AbortSignal) => Promise<string>,
): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: async (callback, signal) => {
      const answer = await oauth.exchange(callback, signal);
      if (typeof answer === 'string') return { kind: 'refused', reason: answer };
      const { access, refresh, expires, body } = answer;
      // Google's page lets people untick what is asked for; without it no call would succeed, nor say whose grant it is.
      if (!allows(body)) {
        const grant = writeGrant({ access, refresh, expires, holder: '' });
        return { kind: 'refused', reason: 'access_denied', grant };
      }
      // What fails from here on is left standing: the person signs in again, and ending it could end that grant as well.
      if (refresh === null) {
        throw new UpstreamFailure(
          'malformed',
          'Google issued no refresh token, so access would end within the hour.',
        );
      }
      const tokens = { access, refresh, expires };
      const holder = await asUpstream(() => personOf(writeGrant({ ...tokens, holder: '' }), signal), signal);
      return { kind: 'linked', grant: writeGrant({ ...tokens, holder }), name: 'Google Sheets' };
    },
    revoke: (grant, signal) => oauth.revoke(grant, signal),
    // Google ends all that a person granted this application, whichever of their tokens it is given.
    endsWith: sharesHolder,
  };
}

function allows(body: unknown): boolean {
  if (!Value.Check(Granted, body) || body.scope === undefined) return true;
  return body.scope.split(' ').includes(SCOPE);
}
