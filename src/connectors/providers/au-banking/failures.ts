import type { UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { list, text, type WireObject } from '../kit/json.ts';
import type { SaidError, VendorErrors } from '../kit/vendor-calls.ts';

/** Codes of the banks' standard behind the vendor, by their last part (CDS, error codes); the first match counts. */
const STANDARD_CODES: readonly (readonly [RegExp, UpstreamSituation])[] = [
  [/(RevokedConsent|InvalidConsent)$/i, 'grant_rejected'],
  [/AdrStatusNotActive$/i, 'own_credentials'],
  [/UnavailableBankingAccount$|Resource\/Unavailable$/i, 'temporarily_unavailable'],
  [/InvalidBankingAccount$/i, 'account_gone'],
  [/NotImplemented$/i, 'not_implemented'],
  [/UnsupportedVersion$/i, 'other'],
  [/InvalidPage$/i, 'stale_cursor'],
  [/^end_user_not_found$/i, 'grant_rejected'],
];

/** Errors in any of the vendor's or the standard's shapes. */
export const AU_BANKING_ERRORS: VendorErrors = { read, codes: STANDARD_CODES };

function read(body: WireObject): SaidError {
  const parts: WireObject[] = [body, ...list(body, 'errors')];
  const codes = parts
    .flatMap((part) => [text(part, 'name'), text(part, 'code')])
    .filter((code) => code !== null);
  const said = parts.map((part) => text(part, 'message') ?? text(part, 'detail') ?? text(part, 'title'));
  return { codes, message: said.find((one) => one !== null) ?? null };
}
