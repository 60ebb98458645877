import type { Static } from 'typebox';
import type { simplefinAppSchema } from '../../../src/operations/v2/simplefin-apps.ts';
import type { simplefinSetupTokenSchema } from '../../../src/operations/v2/simplefin-setup-tokens.ts';
import { ask } from './client.ts';
import { paged } from './paged.ts';

export type SimplefinApp = Static<typeof simplefinAppSchema>;
export type SetupToken = Static<typeof simplefinSetupTokenSchema>;

const APPS = 'simplefin_apps';
const TOKENS = 'simplefin_setup_tokens';

export const simplefinApps = paged<SimplefinApp>(APPS);
export const setupTokens = paged<SetupToken>(TOKENS);

/** What is asked of a person about a program. */
export type ProgramFields = Pick<SimplefinApp, 'name' | 'two_decimals' | 'leave_out_extra'>;

/** The answer has the text of the token, which nothing but the page that asked may hold. */
export function createSetupToken(program: ProgramFields): Promise<SetupToken> {
  return ask({ method: 'POST', path: TOKENS, body: program });
}

export function revokeSetupToken(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: `${TOKENS}/${encodeURIComponent(id)}` });
}

export function updateSimplefinApp(id: string, program: ProgramFields): Promise<SimplefinApp> {
  return ask({ method: 'POST', path: `${APPS}/${encodeURIComponent(id)}`, body: program });
}

export function revokeSimplefinApp(id: string): Promise<unknown> {
  return ask({ method: 'DELETE', path: `${APPS}/${encodeURIComponent(id)}` });
}
