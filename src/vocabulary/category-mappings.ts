/** Which category of the destination takes rows of a provider category. */
export interface CategoryMapping {
  readonly provider_category: string;
  readonly destination_category: string;
  readonly destination_category_name: string | null;
}
