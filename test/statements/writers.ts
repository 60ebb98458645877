/** A row of a statement that a test writes in a format. */
export interface Row {
  readonly date: string;
  /** Minor units of two decimals, never zero. */
  readonly minor: number;
  readonly text: string;
  /** The bank's own, in formats that have one. */
  readonly reference?: string;
}

export function decimal(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** With thousands separated. */
export function grouped(minor: number, group: string, sign: string): string {
  const [whole = '', fraction = ''] = decimal(minor).split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, group)}${sign}${fraction}`;
}

const short = (date: string) => date.slice(2).replaceAll('-', '');
const compact = (date: string) => date.replaceAll('-', '');
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Writes rows as a file of one account in a currency, ISO 4217. */
export type Writer = (rows: readonly Row[], currency: string) => string;

const ofx1: Writer = (all, currency) =>
  `OFXHEADER:100\nDATA:OFXSGML\nENCODING:UTF-8\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${all
    .map(
      ({ date, minor, text, reference }, at) =>
        `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${compact(date)}<TRNAMT>${decimal(minor)}<FITID>${reference ?? at}<NAME>${text}</STMTTRN>`,
    )
    .join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
const ofx2: Writer = (all, currency) =>
  `<?xml version="1.0" encoding="UTF-8"?><OFX><STMTRS><CURDEF>${currency}</CURDEF><BANKTRANLIST>${all
    .map(
      ({ date, minor, text, reference }) =>
        `<STMTTRN><DTPOSTED>${compact(date)}120000[+1:CET]</DTPOSTED><TRNAMT>${decimal(minor).replace('.', ',')}</TRNAMT>${reference === undefined ? '' : `<FITID>${reference}</FITID>`}<NAME>${escaped(text)}</NAME></STMTTRN>`,
    )
    .join('')}</BANKTRANLIST></STMTRS></OFX>`;
const qif: Writer = (all) =>
  `!Type:Bank\n${all
    .map(({ date, minor, text }) => {
      const [year = '', month, day] = date.split('-');
      return `D${Number(month)}/${String(Number(day)).padStart(2, ' ')}'${year.slice(2)}\nT${grouped(minor, ',', '.')}\nP${text}\n^`;
    })
    .join('\n')}`;
const mt940: Writer = (all, currency) =>
  `:20:A\r\n:25:1/2\r\n:60F:C260101${currency}0,\r\n${all
    .map(({ date, minor, text }) => {
      const mark = minor < 0 ? 'D' : 'C';
      const lines = `166?00TEXT?20${text}`.match(/.{1,65}/gsu) ?? [];
      return `:61:${short(date)}${short(date).slice(2)}${mark}R${decimal(Math.abs(minor)).replace('.', ',')}NMSCNONREF\r\n:86:${lines.join('\r\n')}\r\n`;
    })
    .join('')}:62F:C260101${currency}0,\r\n-`;
const camt: (version: string) => Writer = (version) => (all, currency) =>
  `<?xml version="1.0"?><c:Document xmlns:c="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><c:BkToCstmrStmt><c:Stmt>${all
    .map(
      ({ date, minor, text, reference }) =>
        `<c:Ntry><c:Amt Ccy="${currency}">${decimal(Math.abs(minor))}</c:Amt><c:CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</c:CdtDbtInd><c:Sts>${Number(version) < 8 ? 'BOOK' : '<c:Cd>BOOK</c:Cd>'}</c:Sts><c:BookgDt><c:Dt>${date}</c:Dt></c:BookgDt>${reference === undefined ? '' : `<c:AcctSvcrRef>${reference}</c:AcctSvcrRef>`}<c:AddtlNtryInf>${escaped(text)}</c:AddtlNtryInf></c:Ntry>`,
    )
    .join('')}</c:Stmt></c:BkToCstmrStmt></c:Document>`;

/** By the name of the format. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  'OFX 1': ofx1,
  'OFX 2': ofx2,
  QIF: qif,
  MT940: mt940,
  ...Object.fromEntries(
    ['02', '03', '04', '06', '08', '10'].map((version) => [`CAMT.053 version ${version}`, camt(version)]),
  ),
};
