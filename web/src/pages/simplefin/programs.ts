import type { SimplefinApp } from '#client';
import { api } from '../../api/client.ts';
import { paged } from '../../api/queries.ts';

export const simplefinApps = paged(['simplefin_apps', 'pages', {}], (page, options) =>
  api.simplefinApps.list(page, options),
);

export const setupTokens = paged(['simplefin_setup_tokens', 'pages', {}], (page, options) =>
  api.simplefinSetupTokens.list(page, options),
);

/** What is asked of a person about a program. */
export type ProgramFields = Pick<SimplefinApp, 'name' | 'two_decimals' | 'leave_out_extra'>;
