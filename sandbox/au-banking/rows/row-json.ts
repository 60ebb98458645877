import { isRecord, type Json, type JsonObject } from '../../shared/json.ts';
import type { SeenRow } from './row.ts';
import type { RowFrame } from './source.ts';

/** One transaction as the vendor writes it. */
export function rowJson(row: SeenRow, accountId: string, frame: RowFrame): string {
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
