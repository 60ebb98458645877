/** What a request tells of the browser that somebody sits at. */
export interface Visit {
  /** Its network address. */
  readonly address: string;
  /** Its `Cookie` header. */
  readonly cookie: string | undefined;
  /** Its `User-Agent` header. */
  readonly userAgent: string | undefined;
}
