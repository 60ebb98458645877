import { queryOptions } from '@tanstack/react-query';
import { UnreachableError } from '#client';
import { appUrl } from './app-url.ts';
import { isObject } from './json.ts';
import { sessionFetch } from './session.ts';

/** An account record that the person can switch to. */
export interface SharedRecord {
  readonly id: string;
  /** What its owner calls it, or else its e-mail address. */
  readonly label: string;
  /** Its e-mail address if the label is a name, since anyone may choose a name. */
  readonly detail: string;
}

/** The first ones of the person's account records, in the order of their labels. */
export const sharedRecords = queryOptions({
  queryKey: ['account-records'],
  queryFn: async ({ signal }) => {
    const response = await sessionFetch(appUrl('settings/accounts/list').href, { signal });
    const answer: unknown = await response.json().catch(() => null);
    if (!isObject(answer) || !Array.isArray(answer.data)) throw new UnreachableError('No list');
    const all: readonly unknown[] = answer.data;
    return all.filter(isRecord);
  },
});

/** The other account record of the person that has the resource of an id; null if none has, or if it is no id. */
export const holderOf = (id: string) =>
  queryOptions({
    queryKey: ['account-records', id],
    queryFn: async ({ signal }) => {
      const address = appUrl('settings/accounts/holder');
      address.searchParams.set('id', id);
      const response = await sessionFetch(address.href, { signal });
      const answer: unknown = await response.json().catch(() => null);
      return isObject(answer) && isRecord(answer.record) ? answer.record : null;
    },
  });

function isRecord(value: unknown): value is SharedRecord {
  return isObject(value) && [value.id, value.label, value.detail].every((one) => typeof one === 'string');
}

/** Switches the browser to the account record, and loads the path in it. */
export function switchRecord(id: string, next: string): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = appUrl('settings/account').href;
  for (const [name, value] of [
    ['account', id],
    ['next', next],
  ] as const) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}
