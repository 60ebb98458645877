import { Type } from 'typebox';
import { BY_OPERATOR } from '../../features/audit/audit-log.ts';
import { setupTokenText } from '../../operations/simplefin/addresses.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { command } from '../command.ts';
import { pairs } from '../table.ts';
import { accountRecordId } from './account.ts';
import { amountsText, extraText } from './app.ts';

/** `setup-token create`: prints the token once; only its hash is stored. */
export const setupTokenCreate = command({
  name: 'setup-token create',
  args: Type.Object(
    {
      account: Type.String(),
      name: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.key_name_characters }),
      two_decimals: Type.Optional(Type.Boolean()),
      leave_out_extra: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    id: Type.String(),
    account: Type.String(),
    name: Type.String(),
    two_decimals: Type.Boolean(),
    leave_out_extra: Type.Boolean(),
    expires_at: Type.String(),
    setup_token: Type.String(),
  }),
  run: async ({ app }, args) => {
    const { accountRecords, auditLog, setupTokens, publicUrl } = app.services;
    const owner = accountRecordId(args.account);
    await accountRecords.find(owner);
    const { name, two_decimals: twoDecimals = false, leave_out_extra: leaveOutExtra = false } = args;
    const wanted = { name, twoDecimals, leaveOutExtra };
    const { token, secret } = await auditLog.recording(
      owner,
      () => setupTokens.create(owner, wanted, null),
      (created) => ({
        kind: 'simplefin_setup_token.created',
        by: BY_OPERATOR,
        from: null,
        target: publicId('simplefin_setup_token', created.token.id),
      }),
    );
    return {
      id: publicId('simplefin_setup_token', token.id),
      account: args.account,
      name: token.name,
      two_decimals: token.two_decimals,
      leave_out_extra: token.leave_out_extra,
      expires_at: token.expires_at.toISOString(),
      setup_token: setupTokenText(publicUrl, secret),
    };
  },
  show: (token) =>
    `${pairs([
      ['Token', token.id],
      ['Account', token.account],
      ['App', token.name],
      ['Amounts', amountsText(token.two_decimals)],
      ['Extra', extraText(token.leave_out_extra)],
      ['Expires', token.expires_at],
    ])}\n\n${token.setup_token}\n\nPaste the line above into the app now; it is not shown again, and one app can use it once.`,
});
