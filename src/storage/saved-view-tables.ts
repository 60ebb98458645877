import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Moment } from './identity-tables.ts';

export interface SavedViewsTable {
  id: RowId<'saved_view'>;
  account_record: OwnerId;
  name: string;
  /** Of the transactions page: `category=cat_…&kind=out`. */
  query: string;
  created: Moment;
  updated: Moment;
}

export interface SavedViewTables {
  saved_views: SavedViewsTable;
}
