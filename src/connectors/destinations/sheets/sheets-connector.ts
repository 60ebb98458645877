import type { DestinationConnector } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { DestinationAccess } from '../destination-opening.ts';
import type { DestinationTools } from '../destination-party.ts';
import { asUpstream } from '../kit/as-upstream.ts';
import { freshAccess } from '../kit/fresh-access.ts';
import { OAuth } from '../kit/oauth.ts';
import { VendorClient } from '../kit/vendor-client.ts';
import { GoogleApi } from './google-api.ts';
import { googleLinking, SCOPE } from './google-linking.ts';
import { judgeGoogle } from './google-refusals.ts';
import { checkSpreadsheet, googleResources } from './google-resources.ts';
import { sheetTarget } from './sheet-target.ts';
import { SheetsWriter } from './sheets-writer.ts';
import { createSpreadsheet } from './spreadsheet-creation.ts';

/** Where Google is reached, and as whom. Addresses without a trailing slash. */
export interface GoogleSettings {
  readonly sheetsUrl: string;
  readonly driveUrl: string;
  readonly tokenUrl: string;
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Google advises 2 MB a request. As cells, a row of 14 columns takes about three times its encoded text, so this is some
 * 2 MB on the wire and some 3,500 rows.
 */
const CHUNK_ROWS = 4000;
const CHUNK_BYTES = 800_000;

/** Google Sheets. A batch carries the mark of its chunk, so that the same chunk again is recognised. */
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
      // Without a renewed consent, a person who agreed before brings no refresh token.
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
