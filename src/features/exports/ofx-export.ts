import type { DeliveryAccount } from '../../connectors/destinations/delivery-rows.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { decimalFromMoney, type Money } from '../../vocabulary/money.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { SourceBalance } from '../sync-engine/read/sync-source.ts';
import {
  OFX_ACCOUNT_TYPES,
  OFX_CHARACTERS,
  ofxAmount,
  ofxDay,
  ofxElement,
  ofxMoment,
  ofxText,
  ofxTransactionType,
} from './ofx-values.ts';
import type { ExportedAccount, RowExport } from './row-export.ts';

/** The headers of the two versions. The elements are the same: version 1 may omit closing tags, but need not. */
const HEADERS = {
  1:
    'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:UTF-8\r\nCHARSET:NONE\r\n' +
    'COMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n',
  2:
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
    '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n',
} as const;
const DONE = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>';
/** Readers identify an account by bank and number. Numbers are masked, so the account's id is used instead. */
const BANK = 'TRIBUTARY';

/** Statements of one kind: what they are called, and which accounts have them. */
const STATEMENTS = [
  { set: 'BANKMSGSRSV1', answer: 'STMTTRNRS', statement: 'STMTRS', cards: false },
  { set: 'CREDITCARDMSGSRSV1', answer: 'CCSTMTTRNRS', statement: 'CCSTMTRS', cards: true },
] as const;

/**
 * OFX 1.02 (SGML) or 2.2 (XML), one statement for each account, bank accounts before cards as the standard orders them.
 * Posted rows only, because a statement lists no others. Raises `not_supported` for trades and holdings, and if the
 * bank gives no balance, which a statement requires.
 */
export async function* ofxStatements(
  { type, accounts }: RowExport,
  { version, now }: { readonly version: keyof typeof HEADERS; readonly now: number },
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (type !== 'transactions')
    throw refused('Trades and holdings cannot be exported as OFX; use csv or jsonl.');
  let text = `${HEADERS[version]}<OFX>\n<SIGNONMSGSRSV1><SONRS>${DONE}${ofxElement('DTSERVER', ofxMoment(now))}<LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>\n`;
  for (const { set, answer, statement, cards } of STATEMENTS) {
    const listed = accounts.filter(({ account }) => (account.type === 'credit-card') === cards);
    if (listed.length === 0) continue;
    text += `<${set}>\n`;
    for (const exported of listed) {
      const balance = await exported.balance(signal);
      if (balance.current === null) {
        throw refused('The bank gives no balance for an account, which OFX requires; use csv or jsonl.');
      }
      const known = { ...balance, current: balance.current };
      text += `<${answer}><TRNUID>0</TRNUID>${DONE}<${statement}>\n${opening(exported, balance, now)}`;
      for await (const page of exported.pages(signal)) {
        for (const row of page) {
          if (row.kind === 'transaction') text += entry(row.transaction, row.memo, balance.currency);
        }
        if (text !== '') yield text;
        text = '';
      }
      // Programs that read SGML line by line do not expect comments.
      text += `${version === 2 ? asideComment(exported) : ''}</BANKTRANLIST>\n${closing(known)}</${statement}></${answer}>\n`;
    }
    text += `</${set}>\n`;
  }
  yield `${text}</OFX>\n`;
}

function opening({ account, window }: ExportedAccount, { currency }: SourceBalance, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const { from, to } = window ?? { from: today, to: today };
  return (
    `${ofxElement('CURDEF', currency.toUpperCase())}${accountFrom(account)}\n` +
    `<BANKTRANLIST>${ofxElement('DTSTART', ofxDay(from))}${ofxElement('DTEND', ofxDay(to))}\n`
  );
}

function accountFrom({ id, type }: DeliveryAccount): string {
  const number = ofxElement('ACCTID', publicId('account', id).replace(/^acct_/, ''));
  return type === 'credit-card'
    ? `<CCACCTFROM>${number}</CCACCTFROM>`
    : `<BANKACCTFROM>${ofxElement('BANKID', BANK)}${number}${ofxElement('ACCTTYPE', OFX_ACCOUNT_TYPES[type])}</BANKACCTFROM>`;
}

/** Empty for a row that is not posted or has no day. */
function entry(row: Transaction, memo: string | null, currency: string): string {
  const day = row.post_date ?? row.date;
  if (row.status === 'pending' || day === null) return '';
  if (row.amount.currency !== currency) {
    throw refused(
      'A row is in another currency than its account, which OFX cannot express; use csv or jsonl.',
    );
  }
  const name = ofxText(row.merchant_name ?? row.description, OFX_CHARACTERS.NAME);
  const description = ofxText(row.description, OFX_CHARACTERS.MEMO);
  const more = [description === name ? '' : description, memo ?? '']
    .filter((text) => text !== '')
    .join(' | ');
  const note = ofxText(more, OFX_CHARACTERS.MEMO);
  return (
    '<STMTTRN>' +
    ofxElement('TRNTYPE', ofxTransactionType(row)) +
    ofxElement('DTPOSTED', ofxDay(day)) +
    (row.date === null || row.date === day ? '' : ofxElement('DTUSER', ofxDay(row.date))) +
    ofxElement('TRNAMT', ofxAmount(row.amount_decimal)) +
    ofxElement('FITID', fitId(row)) +
    (name === '' ? '' : ofxElement('NAME', name)) +
    (note === '' ? '' : ofxElement('MEMO', note)) +
    '</STMTTRN>\n'
  );
}

/** A truncated id could match other rows as well. */
function fitId({ id }: Transaction): string {
  if (id.length > OFX_CHARACTERS.FITID)
    throw refused('The id of a row is too long for OFX; use csv or jsonl.');
  return id;
}

function closing({ readAt, current, available }: SourceBalance & { readonly current: Money }): string {
  const asOf = ofxElement('DTASOF', ofxMoment(readAt));
  const ledger = `<LEDGERBAL>${ofxElement('BALAMT', decimalFromMoney(current))}${asOf}</LEDGERBAL>`;
  return available === null
    ? `${ledger}\n`
    : `${ledger}<AVAILBAL>${ofxElement('BALAMT', decimalFromMoney(available))}${asOf}</AVAILBAL>\n`;
}

function refused(message: string): ServiceError {
  return new ServiceError('not_supported', { message });
}

/** Names the rows that the statement lacks because they could not be read. A comment of XML may not hold two hyphens in a row. */
function asideComment({ takeAside }: ExportedAccount): string {
  const rows = takeAside().map(({ id, day, field, reason }) =>
    [id ?? 'no id', day ?? 'no day', field, reason].join(' '),
  );
  return rows.length === 0
    ? ''
    : `<!-- Rows that could not be read: ${rows.join('; ').replace(/-(?=-)/g, '- ')} -->\n`;
}
