import type { LinkedAccount } from '../../../features/linking/accounts.ts';

export function presentAccount({ account, connection }: LinkedAccount) {
  return {
    id: account.id,
    connectionId: account.connection,
    provider: account.provider,
    name: account.name,
    type: account.type,
    institutionName: connection.institution_name,
    accountNumber: account.masked_number,
    currency: account.currency.toUpperCase(),
  };
}
