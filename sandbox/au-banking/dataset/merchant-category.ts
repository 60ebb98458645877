import type { RowCategory } from '../rows/row.ts';

type Span = number | readonly [from: number, to: number];

/**
 * Merchant category codes (ISO 18245) by primary category. Single codes take precedence over ranges, earlier lines over
 * later ones.
 */
const TABLE: readonly (readonly [primary: string, spans: readonly Span[]])[] = [
  ['TRAVEL', [[3000, 3350], 4511, [3501, 3999], 7011, 4722, 7512, [3351, 3441]]],
  ['TRANSPORTATION', [4111, 4112, 4121, 4131, 4784, 5541, 5542, 7523]],
  ['RENT_AND_UTILITIES', [[4812, 4816], 4899, 4900]],
  ['HOME_IMPROVEMENT', [5200, 5211, 5231, 5251, 5261, [5712, 5719], [1520, 1799]]],
  ['FOOD_AND_DRINK', [5411, 5422, 5441, 5451, 5462, 5499, [5811, 5814], 5921]],
  ['MEDICAL', [5912, 5976, [8011, 8099], 742]],
  ['PERSONAL_CARE', [7230, 7298, 7297, 7997, 7211, 7216, 5977]],
  ['ENTERTAINMENT', [7832, 7841, [7911, 7996], 7998, 7999, 7995, 5815, 5816]],
  ['GOVERNMENT_AND_NON_PROFIT', [[9211, 9399], 9405, 8398, 8651, 8661]],
  ['TRANSFER_OUT', [6010, 6011, 6012]],
  ['SERVICES', [6300, [7531, 7549], 8111, [8211, 8299], 8351, 8931, 9402, 4215]],
  ['MERCHANDISE', [[5000, 5999]]],
];

/** The primary category of a merchant category code, or null for one that is not in the table. */
export function primaryOfMerchantCode(code: string): string | null {
  if (!/^\d{3,4}$/.test(code)) return null;
  const number = Number(code);
  const single = TABLE.find(([, spans]) => spans.includes(number));
  const span = TABLE.find(([, spans]) =>
    spans.some((entry) => typeof entry !== 'number' && number >= entry[0] && number <= entry[1]),
  );
  return (single ?? span)?.[0] ?? null;
}

/** An enrichment derived only from the code; null without a known code. */
export function categoryOfMerchantCode(code: string | null): RowCategory | null {
  const primary = code === null ? null : primaryOfMerchantCode(code);
  if (primary === null) return null;
  return { primary_category: primary, secondary_category: `${primary}_OTHER`, confidence_level: 'MEDIUM' };
}
