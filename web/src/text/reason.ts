/** The words for a reason that an address names: it may name anything, also what every object inherits. */
export function reasonText(
  texts: Readonly<Record<string, string>>,
  reason: string,
  otherwise: string,
): string {
  return (Object.hasOwn(texts, reason) ? texts[reason] : undefined) ?? otherwise;
}
