import { Type } from 'typebox';
import { setupTokenText } from '../../operations/simplefin/addresses.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { command } from '../command.ts';
import { pairs } from '../table.ts';
import { accountRecordId } from './account.ts';

/** `setup-token create`: prints the token once; only its hash is stored. */
export const setupTokenCreate = command({
  name: 'setup-token create',
  args: Type.Object(
    {
      account: Type.String(),
      name: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.key_name_characters }),
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    id: Type.String(),
    account: Type.String(),
    name: Type.String(),
    expires_at: Type.String(),
    setup_token: Type.String(),
  }),
  run: async ({ app }, args) => {
    const { accountRecords, setupTokens, publicUrl } = app.services;
    const owner = accountRecordId(args.account);
    await accountRecords.find(owner);
    const { token, secret } = await setupTokens.create(owner, args.name, null);
    return {
      id: publicId('simplefin_setup_token', token.id),
      account: args.account,
      name: token.name,
      expires_at: token.expires_at.toISOString(),
      setup_token: setupTokenText(publicUrl, secret),
    };
  },
  show: (token) =>
    `${pairs([
      ['Token', token.id],
      ['Account', token.account],
      ['App', token.name],
      ['Expires', token.expires_at],
    ])}\n\n${token.setup_token}\n\nPaste the line above into the app now; it is not shown again, and one app can use it once.`,
});
