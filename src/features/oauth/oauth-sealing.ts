/** What the values of this room are sealed for. */
export const OAUTH_SEAL = 'oauth';
