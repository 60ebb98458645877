import { isWireObject, malformed, parseExact } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import type { MintedToken } from '../kit/token-source.ts';

/** The token in the answer to a mint. The vendor's documentation names both `token` and `access_token`. */
export function tokenOf(body: string): MintedToken {
  const answer = parseExact(body);
  const value = isWireObject(answer) ? (text(answer, 'token') ?? text(answer, 'access_token')) : null;
  if (!isWireObject(answer) || value === null) throw malformed('it holds no token');
  const seconds = Number(text(answer, 'expires_in'));
  return { value, lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0 };
}
