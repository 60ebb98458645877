import { LEGACY_SCOPES, SCOPES, type Scope } from './scopes.ts';

/** What a person may do with an account record they share (docs/sign-in.md#members). */
export const MEMBER_ROLE_NAMES = ['owner', 'reader'] as const;
export type MemberRole = (typeof MEMBER_ROLE_NAMES)[number];

interface MemberRoleEntry {
  /** The scopes of such a member's session. */
  readonly scopes: readonly Scope[];
  /** Whether they may invite, remove and change members, and grant write scopes to apps. */
  readonly manages: boolean;
}

/** docs/sign-in.md shows the same table. */
export const MEMBER_ROLES: Readonly<Record<MemberRole, MemberRoleEntry>> = {
  owner: { scopes: SCOPES, manages: true },
  reader: { scopes: LEGACY_SCOPES, manages: false },
};

export function isMemberRole(text: string): text is MemberRole {
  return Object.hasOwn(MEMBER_ROLES, text);
}
