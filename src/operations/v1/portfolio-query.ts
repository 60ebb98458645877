import { Type } from 'typebox';
import type { PortfolioQuery } from '../../features/reads/portfolio-reads.ts';
import { v1AccountIds, v1Id } from './ids.ts';
import { idListText, idText, requiredId } from './schemas/conventions.ts';

/** The parameters that say of which accounts. */
export const portfolioParameters = {
  connectionId: requiredId,
  accountId: Type.Optional(idText),
  accountIds: Type.Optional(idListText),
};

/**
 * `accountIds` goes before `accountId`; without either, all accounts of the connection. Raises the refusals of
 * `v1AccountIds`, and `resource_missing` with param `connection` or `account`.
 */
export function portfolioQuery(
  {
    connectionId,
    accountId,
    accountIds,
  }: {
    readonly connectionId: string;
    readonly accountId?: string | undefined;
    readonly accountIds?: string | undefined;
  },
  most: number,
): PortfolioQuery {
  const connection = v1Id('connection', connectionId, 'connection');
  if (accountIds !== undefined) return { connection, accounts: v1AccountIds(accountIds, most, 'account') };
  const accounts = accountId === undefined ? null : [v1Id('account', accountId, 'account')];
  return { connection, accounts };
}
