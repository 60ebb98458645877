import { isRecord, type Json, type JsonObject } from '../../shared/json.ts';
import type { SeenRow } from './row.ts';
import { orderTime } from './row-book.ts';
import { firstIndex, isAfter, type RowFilter, type RowFrame, type RowSource } from './source.ts';

/** The rows in memory of one account under one consent, as a source. */
export function bookSource(
  key: string,
  accountId: string,
  rows: readonly SeenRow[],
  frame: RowFrame,
): RowSource {
  return {
    key,
    open(after, filter) {
      let index = after
        ? firstIndex(rows.length, (at) => {
            const row = rows[at];
            return row !== undefined && isAfter(after, orderTime(row), key, row.position);
          })
        : 0;
      const settle = (): SeenRow | undefined => {
        let row = rows[index];
        while (row && !matches(row, filter)) row = rows[++index];
        return row;
      };
      let head = settle();
      return {
        get time() {
          return head ? orderTime(head) : null;
        },
        get position() {
          return head?.position ?? -1;
        },
        json: () => (head ? rowJson(head, accountId, frame) : ''),
        advance() {
          index += 1;
          head = settle();
        },
      };
    },
  };
}

function matches(row: SeenRow, filter: RowFilter): boolean {
  if (filter.status && row.status !== filter.status) return false;
  if (filter.from !== null || filter.to !== null) {
    if (row.effective === null) return false;
    if (filter.from !== null && row.effective < filter.from) return false;
    if (filter.to !== null && row.effective > filter.to) return false;
  }
  return !filter.categories || filter.categories.has(row.facts.category?.secondary_category ?? '');
}

/** One transaction as the vendor writes it. */
function rowJson(row: SeenRow, accountId: string, frame: RowFrame): string {
  const { facts } = row;
  return JSON.stringify({
    fiskil_id: row.fiskilId,
    ...(facts.transactionId === null ? {} : { transaction_id: facts.transactionId }),
    account_id: accountId,
    arrangement_id: frame.arrangementId,
    institution_id: frame.institutionId,
    amount: facts.amount,
    currency: facts.currency,
    status: row.status,
    type: facts.type,
    description: facts.description,
    reference: facts.reference,
    posting_date_time: row.posting?.text ?? null,
    execution_date_time: facts.execution?.text ?? null,
    value_date_time: facts.value?.text ?? null,
    merchant_name: facts.merchantName,
    merchant_category_code: facts.merchantCategoryCode,
    biller_code: facts.billerCode,
    biller_name: facts.billerName,
    crn: facts.crn,
    apca_number: facts.apcaNumber,
    is_detail_available: facts.extendedData !== null,
    category: facts.category,
    ...(facts.extendedData === null
      ? {}
      : { extended_data: extendedData(facts.extendedData, frame.version) }),
  });
}

/** v1 kept the payment under a service root; later versions carry `npp_payload` directly. */
function extendedData(data: JsonObject, version: RowFrame['version']): Json {
  if (version !== 'v1' || !isRecord(data.npp_payload)) return data;
  const { npp_payload, extension_u_type: _, ...rest } = data;
  return { ...rest, service: 'X2P1.01', extension_u_type: 'x2p101Payload', x2p101_payload: npp_payload };
}
