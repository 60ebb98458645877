import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import type { DestinationAccess, DestinationConnector, DestinationLinking } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationTools } from '../destination-integration.ts';
import { asUpstream } from '../kit/failures.ts';
import { freshAccess, OAuth, sharesHolder, writeGrant } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import { GoogleApi } from './client.ts';
import { createSpreadsheet } from './creation.ts';
import { judgeGoogle } from './failures.ts';
import { checkSpreadsheet, googleResources } from './resources.ts';
import { sheetTarget } from './workbook.ts';
import { SheetsWriter } from './writer.ts';

/**
 * Files that this application created, or that the person picked for it: enough for Sheets and Drive, without access to
 * other files.
 */
const SCOPE = 'https://www.googleapis.com/auth/drive.file';

const Granted = Type.Object({ scope: Type.Optional(Type.String()) });

/** @param personOf Drive's id of the person whose grant is given */
function googleLinking(
  oauth: OAuth,
  personOf: (grant: string, signal: AbortSignal) => Promise<string>,
): DestinationLinking {
  return {
    begin: async (request) => oauth.page(request),
    complete: async (callback, signal) => {
      const answer = await oauth.exchange(callback, signal);
      if (typeof answer === 'string') return { kind: 'refused', reason: answer };
      const { access, refresh, expires, body } = answer;
      // Google's page lets people untick scopes; without this one no call would succeed, nor tell whose grant it is.
      if (!allows(body)) {
        const grant = writeGrant({ access, refresh, expires, holder: '' });
        return { kind: 'refused', reason: 'access_denied', grant };
      }
      // If anything fails from here on, the grant is left: the person signs in again, and ending it could end the new
      // grant as well.
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
    // Google ends everything that a person granted this application, whichever token it gets.
    endsWith: sharesHolder,
  };
}

function allows(body: unknown): boolean {
  if (!Value.Check(Granted, body) || body.scope === undefined) return true;
  return body.scope.split(' ').includes(SCOPE);
}

/** Addresses and credentials of Google. Addresses have no trailing slash. */
interface GoogleSettings {
  readonly sheetsUrl: string;
  readonly driveUrl: string;
  readonly tokenUrl: string;
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Google recommends 2 MB per request. As cells, a row of 14 columns takes about three times its encoded text, so this
 * is about 2 MB on the wire and about 3,500 rows.
 */
const CHUNK_ROWS = 4000;
const CHUNK_BYTES = 800_000;

/**
 * Google Sheets. A batch contains the mark of its chunk, so that the same chunk is recognised when it is sent again.
 */
export function sheetsConnector(tools: DestinationTools, settings: GoogleSettings): DestinationConnector {
  const oauth = new OAuth(
    {
      name: 'Google',
      authorizeUrl: `${settings.oauthUrl}/o/oauth2/v2/auth`,
      tokenUrl: `${settings.tokenUrl}/token`,
      revokeUrl: `${settings.tokenUrl}/revoke`,
      clientId: settings.clientId,
      clientSecret: settings.clientSecret,
      credentialsIn: 'body',
      bodies: 'form',
      scope: SCOPE,
      pkce: true,
      // Without a renewed consent, there is no refresh token for a person who has agreed before.
      parameters: { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' },
    },
    tools,
  );
  const client = (name: string, baseUrl: string): VendorClient =>
    new VendorClient({ vendor: { name, baseUrl, headers: {}, judge: judgeGoogle }, oauth, ...tools });
  const clients = {
    sheets: client('Google Sheets', settings.sheetsUrl),
    drive: client('Google Drive', settings.driveUrl),
  };
  const apiFor = (access: DestinationAccess): GoogleApi => new GoogleApi(clients, access, 'person');
  return {
    type: 'sheets',
    afterUnknown: 'resend',
    chunkRows: CHUNK_ROWS,
    chunkBytes: CHUNK_BYTES,
    linking: googleLinking(oauth, (grant, signal) => apiFor(freshAccess(grant)).person(signal)),
    resources: googleResources(apiFor),
    checkTarget: (access, question, signal) =>
      asUpstream(() => checkSpreadsheet(apiFor(access), question, signal), signal),
    create: (access, request, signal) => createSpreadsheet(apiFor(access), request, signal),
    open: async (opening) => {
      const { access, target } = opening;
      if (access === null) throw noGrant();
      return new SheetsWriter(new GoogleApi(clients, access, 'run'), opening, sheetTarget(target));
    },
  };
}

function noGrant(): DestinationFailure {
  return new DestinationFailure(
    'destination_auth_failed',
    'Google Sheets: there is no grant that is accepted.',
    {
      outcome: 'refused',
      retryable: false,
    },
  );
}
