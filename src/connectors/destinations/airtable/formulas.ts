/** A formula that holds for the records whose column shows one of the texts. */
export function oneOfTexts(column: string, texts: readonly string[]): string {
  return `OR(${texts.map((text) => `{${column}}=${quoted(text)}`).join(',')})`;
}

/** A formula that holds for the records that show something in both columns; a zero is something. */
export function bothFilled(one: string, other: string): string {
  return `AND({${one}}!="",CONCATENATE({${other}},"")!="")`;
}

/** A formula that holds for the records of these ids. */
export function oneOfRecords(ids: readonly string[]): string {
  return `OR(${ids.map((id) => `RECORD_ID()=${quoted(id)}`).join(',')})`;
}

/** A text in a formula. Line ends would break off the text. */
function quoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
