/** Where rows are written. */
export interface Place {
  readonly schema: string;
  readonly table: string;
}
