/** What an address says besides its path. It may come from anywhere, so only texts are taken, and only these. */
export type Search = Readonly<Record<string, unknown>>;
