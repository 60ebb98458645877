import { useQuery } from '@tanstack/react-query';
import { accounts } from '../../api/accounts.ts';

/** What an account is called; its id until that is known. */
export function useAccountNames(): (id: string) => string {
  const { data } = useQuery(accounts);
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
