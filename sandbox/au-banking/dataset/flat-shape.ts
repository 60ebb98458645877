import { isNegative, negateDecimal } from '../../shared/decimal.ts';
import type { JsonObject } from '../../shared/json.ts';
import { NO_FACTS } from '../rows/row.ts';
import type { DatasetAccount, DatasetCustomer, DatasetHolder } from './bank-dataset.ts';
import { type FileRow, keyRows } from './file-row.ts';
import { categoryOfMerchantCode } from './merchant-category.ts';
import { type Node, snakeCaseObject } from './reader.ts';

/** Institution id of the one bank a flat file describes; the file itself names none. */
export const FLAT_HOLDER_ID = '88801';

/** Types that take money out; they determine the sign in files without any negative amount. */
const OUTGOING: ReadonlySet<string> = new Set([
  'TRANSFER_OUTGOING',
  'PAYMENT',
  'DIRECT_DEBIT',
  'FEE',
  'INTEREST_CHARGED',
]);

/** The flat shape: `Customers[].Accounts[].Transactions[]`, PascalCase, amounts usually without signs. */
export function flatHolders(file: Node): readonly DatasetHolder[] {
  const customers = file.get('Customers').list();
  const signed = customers.some((customer) =>
    customer
      .get('Accounts')
      .list()
      .some((account) =>
        account
          .get('Transactions')
          .list()
          .some((row) => isNegative(row.get('Amount').decimal())),
      ),
  );
  return [
    {
      id: FLAT_HOLDER_ID,
      name: 'Data File Bank',
      customers: customers.map((customer) => flatCustomer(customer, signed)),
    },
  ];
}

function flatCustomer(node: Node, signed: boolean): DatasetCustomer {
  const customer = node.get('LoginId').optionalText() ?? node.get('CustomerID').text();
  return {
    customer,
    name: nameOf(node) || customer,
    accounts: node
      .get('Accounts')
      .list()
      .map((account) => flatAccount(account, signed)),
  };
}

function nameOf(node: Node): string {
  if (node.has('Organisation')) return node.get('Organisation').get('BusinessName').optionalText() ?? '';
  if (!node.has('Person')) return '';
  const person = node.get('Person');
  const parts = [person.get('FirstName').optionalText(), person.get('LastName').optionalText()];
  return parts.filter((part) => part !== null).join(' ');
}

function flatAccount(node: Node, signed: boolean): DatasetAccount {
  const {
    Transactions: _,
    AccountId: __,
    NickName: nickname,
    MaskedName: masked,
    ...members
  } = node.record();
  const rows = node
    .get('Transactions')
    .list()
    .map((row) => flatRow(row, signed));
  const detail: JsonObject = snakeCaseObject({
    ...members,
    ...(nickname ? { nickname } : {}),
    ...(masked ? { maskedNumber: masked } : {}),
  });
  return {
    accountId: node.get('AccountId').text(),
    currency: rows[0]?.facts.currency ?? 'AUD',
    closed: node.get('OpenStatus').optionalText() === 'CLOSED',
    detail,
    balance: null,
    rows: keyRows(rows),
  };
}

function flatRow(node: Node, signed: boolean): FileRow {
  const type = node.get('TransactionType').text();
  const amount = node.get('Amount').decimal();
  const code = node.get('MerchantCategoryCode').optionalText();
  return {
    status: node.get('Status').oneOf(['PENDING', 'POSTED']),
    posting: node.get('PostingDateTime').moment(),
    facts: {
      ...NO_FACTS,
      transactionId: node.get('TransactionId').optionalText(),
      amount: !signed && OUTGOING.has(type) ? negateDecimal(amount) : amount,
      currency: node.get('Currency').optionalText() ?? 'AUD',
      type,
      description: node.get('Description').optionalText() ?? '',
      reference: node.get('Reference').optionalText() ?? '',
      execution: node.get('ExecutionDateTime').moment(),
      value: node.get('ValueDateTime').moment(),
      merchantName: node.get('MerchantName').optionalText(),
      merchantCategoryCode: code,
      billerCode: node.get('BillerCode').optionalText(),
      billerName: node.get('BillerName').optionalText(),
      crn: node.get('CRN').optionalText(),
      apcaNumber: node.get('ApcaNumber').optionalText(),
      category: categoryOfMerchantCode(code),
    },
  };
}
