import { Type } from 'typebox';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { isScope, SCOPES, type Scope } from '../../../vocabulary/scopes.ts';
import { command, type RecordContext } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { pairs } from '../table.ts';
import { accountRecordId } from './account.ts';

/** `key create`: prints the secret once; only its hash is stored. */
export const keyCreate = command({
  name: 'key create',
  args: Type.Object(
    {
      account: Type.String(),
      name: Type.String({ minLength: 1, maxLength: FIXED_LIMITS.key_name_characters }),
      scopes: Type.Optional(Type.String()),
      legacy: Type.Optional(Type.Boolean()),
      allowed_ips: Type.Optional(Type.String()),
      expires: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  result: Type.Object({
    id: Type.String(),
    account: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    legacy: Type.Boolean(),
    allowed_ips: Type.Union([Type.Array(Type.String()), Type.Null()]),
    expires_at: Type.Union([Type.String(), Type.Null()]),
    secret: Type.String(),
  }),
  run: async ({ app }: RecordContext, args) => {
    const owner = accountRecordId(args.account);
    await app.operator.accounts.find(owner);
    const legacy = args.legacy ?? false;
    if (legacy === (args.scopes !== undefined)) {
      throw usageFailure('Give either --scopes (a,b or all) or --legacy, which grants every read scope.');
    }
    const { key, secret } = await app.operator.apps.createKey(owner, {
      name: args.name,
      scopes: args.scopes === undefined ? [] : parseScopes(args.scopes),
      legacy,
      allowedIps: args.allowed_ips === undefined ? null : listed(args.allowed_ips),
      expiresAt: args.expires === undefined ? null : parseMoment(args.expires),
    });
    return {
      id: publicId('api_key', key.id),
      account: args.account,
      name: key.name,
      scopes: [...key.scopes],
      legacy: key.legacy,
      allowed_ips: key.allowed_ips === null ? null : [...key.allowed_ips],
      expires_at: key.expires_at?.toISOString() ?? null,
      secret,
    };
  },
  show: (key) =>
    `${pairs([
      ['Key', key.id],
      ['Account', key.account],
      ['Name', key.name],
      ['Scopes', key.scopes.join(', ')],
      ['Allowed IPs', key.allowed_ips?.join(', ') ?? 'any'],
      ['Expires', key.expires_at ?? 'never'],
      ['Secret', key.secret],
    ])}\n\nSave the secret now; it is not shown again.`,
});

function listed(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}

function parseScopes(text: string): readonly Scope[] {
  if (text.trim() === 'all') return SCOPES;
  const scopes = listed(text).map((name) => {
    if (isScope(name)) return name;
    throw usageFailure(
      `"${name}" is not a scope. The scopes are ${SCOPES.join(', ')}; all grants every scope.`,
    );
  });
  if (scopes.length === 0) throw usageFailure('--scopes contains no scope. Write a,b or all.');
  return scopes;
}

/**
 * A date counts from its start in UTC; a time must have an offset, because a shell's time zone is rarely what is meant.
 */
function parseMoment(text: string): Date {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  const at = form.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw usageFailure(`--expires does not accept "${text}". Write 2027-06-30 or 2027-06-30T12:00:00Z.`);
  }
  return new Date(at);
}
