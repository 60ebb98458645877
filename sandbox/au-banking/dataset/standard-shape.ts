import { digest } from '../../shared/random.ts';
import { NO_FACTS } from '../rows/row.ts';
import type { DatasetAccount, DatasetBalance, DatasetCustomer, DatasetHolder } from './bank-dataset.ts';
import { type FileRow, keyRows } from './file-row.ts';
import { categoryOfMerchantCode } from './merchant-category.ts';
import { newestExtendedData, newestProduct } from './newest-shape.ts';
import { type Node, snakeCaseObject } from './reader.ts';

/** The standard's own test data: `holders[].holder.authenticated.customers[]`, camelCase, signed strings. */
export function standardHolders(file: Node): readonly DatasetHolder[] {
  return file
    .get('holders')
    .list()
    .map((holder) => {
      const id = holder.get('holderId').text();
      return {
        id: /^\d+$/.test(id) ? id : `9${BigInt(`0x${digest('holder', id).slice(0, 8)}`)}`,
        name: `Data File Bank ${id}`,
        customers: holder.get('holder').get('authenticated').get('customers').list().map(standardCustomer),
      };
    });
}

function standardCustomer(node: Node): DatasetCustomer {
  const customer = node.get('customerId').text();
  const accounts = node.has('banking') ? node.get('banking').get('accounts').list() : [];
  return { customer, name: nameOf(node) || customer, accounts: accounts.map(standardAccount) };
}

function nameOf(node: Node): string {
  if (!node.has('customer')) return '';
  const customer = node.get('customer');
  if (customer.has('organisation'))
    return customer.get('organisation').get('businessName').optionalText() ?? '';
  if (!customer.has('person')) return '';
  const person = customer.get('person');
  const parts = [person.get('firstName').optionalText(), person.get('lastName').optionalText()];
  return parts.filter((part) => part !== null).join(' ');
}

function standardAccount(node: Node): DatasetAccount {
  const account = node.get('account');
  const { accountId: _, ...members } = account.record();
  const rows = node.get('transactions').list().map(standardRow);
  const balance = node.has('balance') ? node.get('balance') : null;
  return {
    accountId: account.get('accountId').text(),
    currency: balance?.get('currency').optionalText() ?? rows[0]?.facts.currency ?? 'AUD',
    closed: account.get('openStatus').optionalText() === 'CLOSED',
    detail: newestProduct(snakeCaseObject(members)),
    balance: balance && standardBalance(balance),
    rows: keyRows(rows),
  };
}

function standardBalance(node: Node): DatasetBalance {
  const purses = node.has('purses') ? node.get('purses').list() : null;
  return {
    current: node.get('currentBalance').decimal(),
    available: node.get('availableBalance').decimal(),
    creditLimit: node.get('creditLimit').optionalDecimal(),
    amortisedLimit: node.get('amortisedLimit').optionalDecimal(),
    purses:
      purses?.map((purse) => ({
        amount: purse.get('amount').decimal(),
        currency: purse.get('currency').optionalText() ?? 'AUD',
      })) ?? null,
  };
}

function standardRow(node: Node): FileRow {
  const code = node.get('merchantCategoryCode').optionalText();
  return {
    status: node.get('status').oneOf(['PENDING', 'POSTED']),
    posting: node.get('postingDateTime').moment(),
    facts: {
      ...NO_FACTS,
      transactionId: node.get('transactionId').optionalText(),
      amount: node.get('amount').decimal(),
      currency: node.get('currency').optionalText() ?? 'AUD',
      type: node.get('type').text(),
      description: node.get('description').optionalText() ?? '',
      reference: node.get('reference').optionalText() ?? '',
      execution: node.get('executionDateTime').moment(),
      value: node.get('valueDateTime').moment(),
      merchantName: node.get('merchantName').optionalText(),
      merchantCategoryCode: code,
      billerCode: node.get('billerCode').optionalText(),
      billerName: node.get('billerName').optionalText(),
      crn: node.get('crn').optionalText(),
      apcaNumber: node.get('apcaNumber').optionalText(),
      category: categoryOfMerchantCode(code),
      extendedData: node.has('extendedData')
        ? newestExtendedData(snakeCaseObject(node.get('extendedData').record()))
        : null,
    },
  };
}
