/**
 * The purpose of a one-time link without its own resource (docs/sign-in.md#links). An operator's reset is a separate
 * kind, so that mails that anyone may request do not replace it.
 */
export const ONE_TIME_LINK_KINDS = ['first_run', 'password_reset', 'operator_reset'] as const;
export type OneTimeLinkKind = (typeof ONE_TIME_LINK_KINDS)[number];
