import type { IncomingMessage } from 'node:http';
import type { SimulatedRequest } from '../shared/request.ts';
import { badRequest } from '../shared/vendor-error.ts';

export type ApiVersion = 'v1' | 'v2' | 'v3';

/** One request as the handlers see it. */
export type VendorRequest = SimulatedRequest & { readonly version: ApiVersion };

/** The vendor's version selector: `v1`, `v2` or `v3`, literally. Absent = the pinned version. */
export function versionOf(headers: IncomingMessage['headers'], pinned: ApiVersion): ApiVersion {
  const given = headers['x-fiskil-version'];
  if (given === undefined) return pinned;
  if (given === 'v1' || given === 'v2' || given === 'v3') return given;
  throw badRequest('invalid_version', 'X-Fiskil-Version must be one of v1, v2, v3');
}
