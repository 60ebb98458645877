/**
 * Names that the service wrote into the page: what holds for the whole installation and changes with its settings alone
 * (docs/web.md).
 */
export function namesInPage(what: 'simulated' | 'not-offered'): readonly string[] {
  const names = document.querySelector(`meta[name="${what}"]`)?.getAttribute('content') ?? '';
  return names.split(' ').filter((name) => name !== '');
}
