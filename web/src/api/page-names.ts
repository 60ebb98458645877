/**
 * Names that the service wrote into the page: facts about the whole installation that change only with its settings
 * (docs/web.md).
 */
export function namesInPage(what: 'simulated' | 'not-offered' | 'exchange-rates'): readonly string[] {
  const names = document.querySelector(`meta[name="${what}"]`)?.getAttribute('content') ?? '';
  return names.split(' ').filter((name) => name !== '');
}
