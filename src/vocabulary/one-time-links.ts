/**
 * What a one-time link without a resource of its own is for (docs/sign-in.md#links). An operator's reset is a kind of its
 * own, so that mails that anybody may ask for do not push it out.
 */
export const ONE_TIME_LINK_KINDS = ['first_run', 'password_reset', 'operator_reset'] as const;
export type OneTimeLinkKind = (typeof ONE_TIME_LINK_KINDS)[number];
