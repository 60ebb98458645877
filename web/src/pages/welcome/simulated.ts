/**
 * Whether the sandbox stands in for this outside party (docs/sandbox.md). The service says so in the page: it holds for
 * the whole installation and changes with its settings alone.
 */
export function isSimulated(party: string): boolean {
  const names = document.querySelector('meta[name="simulated"]')?.getAttribute('content') ?? '';
  return names.split(' ').includes(party);
}
