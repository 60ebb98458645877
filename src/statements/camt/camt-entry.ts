import { isLocalDate, type LocalDate, parseInstant } from '../../vocabulary/moments.ts';
import { currencyCode } from '../../vocabulary/money.ts';
import type { TransactionClass } from '../../vocabulary/transactions.ts';
import { equalAmounts, negated, readAmount, sumOf } from '../amounts.ts';
import type { Reading } from '../reading.ts';
import { firstText, type RowDraft } from '../statement-draft.ts';
import { all, at, textAt, type XmlElement } from './xml-elements.ts';

/** Families and subfamilies of the bank transaction code (ISO 20022 external code set). */
const CLASSES: ReadonlyMap<string, TransactionClass> = new Map([
  ['CHRG', 'fee'],
  ['FEES', 'fee'],
  ['COMM', 'fee'],
  ['INTR', 'interest'],
  ['ICDT', 'transfer'],
  ['RCDT', 'transfer'],
  ['IRCT', 'transfer'],
  ['RRCT', 'transfer'],
  ['IDDT', 'payment'],
  ['RDDT', 'payment'],
  ['CCRD', 'payment'],
  ['MCRD', 'payment'],
]);

/** The work of looking at a transaction of a batch, in characters. */
const PART = 200;

/** The sign of an entry and of what is inside it. */
interface Direction {
  readonly out: boolean;
  /** Who paid is who would have been paid if the entry reverses an earlier one. */
  readonly reversal: boolean;
}

/**
 * The rows of an entry: one for each of its transactions if their amounts add up to the entry, as in a batch with
 * details; otherwise one for the entry. `CdtDbtInd` is the direction of the entry, also where `RvslInd` says that it
 * reverses another one.
 */
export async function* rowsOfEntry(
  entry: XmlElement,
  accountCurrency: string | null,
  reading: Reading,
): AsyncGenerator<RowDraft> {
  const money = moneyOf(entry);
  const currency = money.currency ?? accountCurrency;
  const mark = textAt(entry, 'CdtDbtInd');
  const direction = { out: mark === 'DBIT', reversal: /^(?:true|1)$/.test(textAt(entry, 'RvslInd') ?? '') };
  const whole = { ...entryFields(entry), currency };
  const amount = signed(money.amount, mark);
  const details = all(entry, 'NtryDtls').flatMap((part) => all(part, 'TxDtls'));
  const parts: Part[] = [];
  for (const part of details) {
    parts.push(partOf(part, mark, currency, direction));
    if (reading.worked(PART)) await reading.pause();
  }
  const [only] = parts;
  if (only === undefined || parts.length === 1 || !addUp(parts, amount)) {
    const part = parts.length === 1 && only !== undefined ? only.part : null;
    yield { ...whole, amount, ...transactionFields(entry, part, direction, true) };
    return;
  }
  for (const { amount: own, part, out } of parts) {
    yield { ...whole, amount: own, ...transactionFields(entry, part, { ...direction, out }, false) };
  }
}

function addUp(parts: readonly Part[], amount: string | null): boolean {
  const amounts = parts.map((part) => part.amount).filter((part) => part !== null);
  return amount !== null && amounts.length === parts.length && equalAmounts(sumOf(amounts), amount);
}

interface Part {
  readonly part: XmlElement;
  readonly amount: string | null;
  readonly out: boolean;
}

/** Version 4 and later give the amount of a transaction directly, earlier ones among the details of the amount. */
function partOf(part: XmlElement, around: string | null, currency: string | null, { out }: Direction): Part {
  const mark = textAt(part, 'CdtDbtInd') ?? around;
  const found = [part, at(part, 'AmtDtls', 'TxAmt'), at(part, 'AmtDtls', 'InstdAmt')]
    .map((element) => moneyOf(element))
    .find((money) => money.amount !== null && (money.currency === null || money.currency === currency));
  return { part, amount: signed(found?.amount ?? null, mark), out: mark === null ? out : mark === 'DBIT' };
}

function entryFields(
  entry: XmlElement,
): Pick<RowDraft, 'date' | 'datetime' | 'valueDate' | 'pending' | 'class'> {
  const booked = textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm');
  const value = textAt(entry, 'ValDt/Dt', 'ValDt/DtTm');
  const moment = textAt(entry, 'BookgDt/DtTm');
  const midnight = moment === null || /T00:00:00(?:\.0+)?(?:Z|[+-]|$)/.test(moment);
  const status = textAt(entry, 'Sts/Cd', 'Sts');
  return {
    date: dayIn(booked) ?? dayIn(value),
    datetime: !midnight && parseInstant(moment) !== null ? moment : null,
    valueDate: dayIn(value),
    pending: status !== null && status !== 'BOOK',
    class: classOf(entry),
  };
}

function transactionFields(
  entry: XmlElement,
  part: XmlElement | null,
  direction: Direction,
  whole: boolean,
): Pick<RowDraft, 'descriptions' | 'counterparty' | 'memo' | 'reference'> {
  const counterparty = nameOf(part, direction);
  const remittance = remittanceOf(part);
  const bankText = textAt(entry, 'AddtlNtryInf');
  const ownText = textAt(part, 'AddtlTxInf');
  const endToEnd = textAt(part, 'Refs/EndToEndId');
  const reference = textAt(part, 'Refs/AcctSvcrRef');
  const ofEntry = textAt(entry, 'AcctSvcrRef');
  return {
    counterparty,
    memo: remittance ?? ownText ?? bankText,
    descriptions: [
      counterparty,
      remittance,
      ownText,
      bankText,
      provided(endToEnd),
      codeOf(part) ?? codeOf(entry),
    ],
    // The reference of a batch would be the same in all of its rows.
    reference: whole ? (ofEntry ?? reference) : (reference ?? textAt(part, 'Refs/TxId')),
  };
}

/** The other side: who is paid if money leaves, who paid if it arrives. */
function nameOf(part: XmlElement | null, { out, reversal }: Direction): string | null {
  const parties = at(part, 'RltdPties');
  const role = out !== reversal ? 'Cdtr' : 'Dbtr';
  return textAt(
    parties,
    `${role}/Nm`,
    `${role}/Pty/Nm`,
    `Ultmt${role}/Nm`,
    `Ultmt${role}/Pty/Nm`,
    `${role}/Agt/FinInstnId/Nm`,
    'TradgPty/Nm',
    'TradgPty/Pty/Nm',
  );
}

function remittanceOf(part: XmlElement | null): string | null {
  const info = at(part, 'RmtInf');
  const free = all(info, 'Ustrd').map(({ text }) => text);
  const structured = all(info, 'Strd').flatMap((one) => [
    textAt(one, 'CdtrRefInf/Ref', 'CdtrRefInf/CdtrRef'),
    ...all(one, 'RfrdDocInf').map((document) => textAt(document, 'Nb', 'RfrdDocNb')),
    ...all(one, 'AddtlRmtInf').map(({ text }) => text),
  ]);
  return firstText([free.join(' ')]) ?? firstText([structured.filter((text) => text !== null).join(' ')]);
}

function provided(reference: string | null): string | null {
  return reference === null || /^not ?provided$/i.test(reference) ? null : reference;
}

function classOf(entry: XmlElement): TransactionClass {
  const family = at(entry, 'BkTxCd', 'Domn', 'Fmly');
  const codes = [textAt(family, 'SubFmlyCd'), textAt(family, 'Cd')];
  return codes.map((code) => CLASSES.get(code ?? '')).find((known) => known !== undefined) ?? 'other';
}

/** What is left to call a row by: the code of the bank. */
function codeOf(element: XmlElement | null): string | null {
  return textAt(element, 'BkTxCd/Prtry/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd', 'BkTxCd/Domn/Cd');
}

function moneyOf(element: XmlElement | null): { amount: string | null; currency: string | null } {
  const amount = at(element, 'Amt');
  return {
    amount: readAmount(amount?.text ?? '', '.'),
    currency: currencyCode(amount?.attributes.get('Ccy') ?? ''),
  };
}

/** Without the mark an amount has no direction, and is unreadable. */
function signed(amount: string | null, mark: string | null): string | null {
  if (amount === null || (mark !== 'DBIT' && mark !== 'CRDT')) return null;
  return mark === 'DBIT' ? negated(amount) : amount;
}

/** The day of a date or a moment as written: in the zone of the bank. */
export function dayIn(text: string | null): LocalDate | null {
  const day = (text ?? '').slice(0, 10);
  return isLocalDate(day) ? day : null;
}
