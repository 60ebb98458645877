import type { Lookup } from '../../src/platform/guarded-connect.ts';

/** A resolver that knows these names, in every spelling, and no other. */
export function lookupOf(
  names: readonly { readonly host: string; readonly answers: readonly string[] }[],
): Lookup {
  const answers = new Map(names.map((name) => [spelled(name.host), name.answers]));
  return (hostname, options, callback) =>
    answer(answers.get(spelled(hostname)) ?? [], options.all === true, callback);
}

/** A resolver that answers each call with the next of the lists, the last one for good. */
export function changingLookup(...answers: (readonly string[])[]): Lookup & { calls: number } {
  const lookup = (...[, options, callback]: Parameters<Lookup>) => {
    const found = answers[Math.min(lookup.calls, answers.length - 1)] ?? [];
    lookup.calls += 1;
    answer(found, options.all === true, callback);
  };
  lookup.calls = 0;
  return lookup;
}

function spelled(host: string): string {
  return new URL(`https://${host}/`).hostname.replace(/\.+$/, '');
}

function answer(addresses: readonly string[], all: boolean, callback: Parameters<Lookup>[2]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  if (all) callback(null, found);
  else callback(null, found[0]?.address ?? '', found[0]?.family);
}
