/**
 * The fields that rows of a sync are written with where its owner chose them (OpenedSync.columns), in their order. The
 * `key`, by which rows are found again, is written always: last, unless it was chosen. Null where nothing was chosen, and
 * each destination shows its standard columns.
 *
 * @param fields the table of the sync's fields, by name
 * @param key null for rows that are not found by a field of their own
 */
export function chosenFields<F extends string>(
  columns: readonly string[] | null,
  fields: Readonly<Record<F, unknown>>,
  key: NoInfer<F> | null,
): readonly F[] | null {
  if (columns === null) return null;
  const chosen = columns.map((name) => {
    if (isFieldOf(fields, name)) return name;
    // Names are checked when they are chosen: another version of this service knows more fields than this one.
    throw new TypeError('a sync shows a field that its rows do not have');
  });
  return key === null || chosen.includes(key) ? chosen : [...chosen, key];
}

function isFieldOf<F extends string>(fields: Readonly<Record<F, unknown>>, name: string): name is F {
  return Object.hasOwn(fields, name);
}
