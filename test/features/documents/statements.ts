import assert from 'node:assert/strict';
import type { TestOwner } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

/** A row of a statement that a test writes. */
export interface TestRow {
  readonly date: string;
  readonly amount: string;
  readonly description: string;
  readonly reference: string;
}

/** Two equal rows and another. */
export const STATEMENT: readonly TestRow[] = [
  { date: '2026-09-01', amount: '-4.50', description: 'Corner Coffee', reference: 'a1' },
  { date: '2026-09-01', amount: '-4.50', description: 'Corner Coffee', reference: 'a2' },
  { date: '2026-09-15', amount: '2500.00', description: 'Salary', reference: 'a3' },
];

/** An OFX 1 file of one account. */
export function ofxOf(rows: readonly TestRow[], number = '12345678'): string {
  const listed = rows.map(
    ({ date, amount, description, reference }) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${date.replaceAll('-', '')}<TRNAMT>${amount}<FITID>${reference}<NAME>${description}</STMTTRN>`,
  );
  return `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20261101<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>AUD
<BANKACCTFROM><BANKID>062000<ACCTID>${number}<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260101<DTEND>20261231
${listed.join('\n')}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
}

/** A CSV without references and without the number of its account. */
export function csvOf(rows: readonly TestRow[]): string {
  const lines = rows.map(({ date, amount, description }) => `${date},${description},${amount}`);
  return `${['Date,Description,Amount', ...lines].join('\n')}\n`;
}

/** How `csvOf` writes. */
export const CSV_LAYOUT = {
  delimiter: ',',
  skip_lines: 0,
  header: true,
  columns: {
    date: 0,
    value_date: null,
    amount: 2,
    debit: null,
    credit: null,
    direction: null,
    description: [1],
    counterparty: null,
    reference: null,
    currency: null,
    category: null,
    balance: null,
    account: null,
  },
  date_order: 'ymd',
  decimal_sign: '.',
  positive: 'in',
};

export function contentOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

export async function upload(owner: TestOwner, name: string, text: string, more: object = {}): Promise<Json> {
  const { status, body } = await owner.v2('POST', '/v2/documents', {
    name,
    content: contentOf(text),
    ...more,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Uploads a file of one account and takes it. */
export async function uploadAndTake(
  owner: TestOwner,
  name: string,
  text: string,
  more: object = {},
): Promise<{ readonly id: string; readonly account: string; readonly connection: string }> {
  const { id } = await upload(owner, name, text, more);
  const { status, body } = await owner.v2('POST', `/v2/documents/${id}/take`);
  assert.equal(status, 200, JSON.stringify(body));
  return { id, account: body.parts[0].account, connection: body.connection };
}
