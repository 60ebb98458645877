/** What `:86:` says about the row above it. */
export interface Mt940Details {
  readonly counterparty: string | null;
  readonly memo: string | null;
  /** What the bank calls this kind of row. */
  readonly kind: string | null;
  /** The code of three digits that banks of Germany, Austria and Poland write in front. */
  readonly code: string | null;
}

/** Lines are filled up to this width, so a shorter one ends a word and a full one may end within it. */
const WIDTH = 65;
const PURPOSE_WIDTH = 27;
/** Code words of structured details between slashes, of SWIFT and of Dutch, Belgian and French banks. */
const WORDS: ReadonlySet<string> = new Set([
  'ABWA',
  'ACCW',
  'ADDR',
  'BENM',
  'BIC',
  'BO',
  'CDTRREF',
  'CDTRREFTP',
  'CHGS',
  'CHGS1',
  'CHGS2',
  'CNTP',
  'CPNY',
  'CREF',
  'CSID',
  'EREF',
  'EXCH',
  'FEES',
  'FX',
  'IBAN',
  'ID',
  'INIT',
  'IREF',
  'ISDT',
  'MARF',
  'MREF',
  'NAME',
  'NRTX',
  'OAMT',
  'OCMT',
  'ORDP',
  'PREF',
  'PURP',
  'REMI',
  'RTRN',
  'SVCL',
  'SWOD',
  'SWOC',
  'TRCD',
  'TRTP',
  'TYPE',
  'UDTR',
  'UCRD',
  'ULTB',
  'ULTC',
  'ULTD',
  'VACC',
]);
/** Parts of the purpose that German banks mark inside it (DFÜ agreement, annex 3). */
const MARKS = /(?:^|(?<=[\s.]))(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC)[+:]/g;

/** Reads structured details of German form (`166?00…?20…`), those with slashes (`/REMI/…`), and free text. */
export function detailsOf(lines: readonly string[]): Mt940Details {
  const [first = ''] = lines;
  const [, code = null, separator] = /^(\d{3})?\s?([^\w\s/])\d{2}/.exec(first) ?? [];
  if (separator !== undefined && (code !== null || '?<>~^'.includes(separator)))
    return german(lines, code, separator);
  const text = joined(lines, WIDTH);
  return slashed(text) ?? { counterparty: null, memo: text, kind: null, code: null };
}

function german(lines: readonly string[], code: string | null, separator: string): Mt940Details {
  const fields = new Map<string, string>();
  let last = '';
  for (const part of lines.join('').split(separator).slice(1)) {
    const key = part.slice(0, 2);
    if (!/^\d{2}$/.test(key)) {
      // The separator itself within a text.
      if (last !== '') fields.set(last, `${fields.get(last) ?? ''}${separator}${part}`);
    } else if (!fields.has(key)) {
      fields.set(key, part.slice(2));
      last = key;
    }
  }
  const of = (from: number, to: number) =>
    [...fields]
      .filter(([key]) => Number(key) >= from && Number(key) <= to)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text);
  const purposes = [...of(20, 29), ...of(60, 63)];
  const { purpose, payer } = purposeOf(purposes);
  const name = joined(of(32, 33), PURPOSE_WIDTH).trim();
  return {
    code,
    kind: fields.get('00')?.trim() || null,
    counterparty: name || payer,
    memo: purpose,
  };
}

/** The purpose without its references, and the name of the person a payment is for. */
function purposeOf(parts: readonly string[]): { purpose: string | null; payer: string | null } {
  const marked = parts.some((part) => /^(?:EREF|KREF|MREF|CRED|SVWZ|ABWA)[+:]/.test(part));
  // A mark begins a part, so that it is never glued to the end of the one before.
  const spacedParts = marked
    ? parts.map((part) => (/^[A-Z]{3,4}[+:]/.test(part) ? ` ${part}` : part))
    : parts;
  const whole = joined(spacedParts, PURPOSE_WIDTH).trim();
  const found = [...whole.matchAll(MARKS)];
  if (found.length === 0) return { purpose: whole || null, payer: null };
  const texts = new Map<string, string>();
  found.forEach((mark, at) => {
    const start = mark.index + mark[0].length;
    texts.set(mark[1] ?? '', whole.slice(start, found[at + 1]?.index ?? whole.length).trim());
  });
  const before = whole.slice(0, found[0]?.index ?? 0).trim();
  const purpose = texts.get('SVWZ') ?? (before === '' ? texts.get('EREF') : before);
  return { purpose: purpose || null, payer: texts.get('ABWA') || null };
}

function joined(lines: readonly string[], width: number): string {
  return lines.reduce(
    (whole, line, at) => whole + spaced(at === 0 ? null : (lines[at - 1] ?? null), width) + line,
    '',
  );
}

function spaced(before: string | null, width: number): string {
  return before === null || before.length >= width || before.endsWith(' ') ? '' : ' ';
}

/** `/WORD/text/WORD/text`, or null if the text does not begin so. Text behind a word may contain slashes. */
function slashed(text: string): Mt940Details | null {
  const parts = text.split('/');
  if (parts[0]?.trim() !== '' || !WORDS.has(parts[1] ?? '')) return null;
  const values = new Map<string, string[]>();
  let current: string[] = [];
  for (const part of parts.slice(1)) {
    if (WORDS.has(part)) {
      current = values.get(part) ?? [];
      values.set(part, current);
    } else current.push(part);
  }
  const of = (word: string) => {
    const found = values.get(word)?.filter((part) => part.trim() !== '');
    return found === undefined || found.length === 0 ? null : found;
  };
  const remittance = of('REMI')?.filter((part, at) => at > 0 || !/^(?:USTD|STRD)$/.test(part));
  return {
    counterparty: of('NAME')?.join('/') ?? of('CNTP')?.[2] ?? of('BENM')?.[0] ?? of('ORDP')?.[0] ?? null,
    memo:
      remittance?.join('/') ??
      of('EREF')
        ?.filter((part) => part !== 'NOTPROVIDED')
        .join('/') ??
      null,
    kind: of('TRTP')?.join('/') ?? null,
    code: null,
  };
}
