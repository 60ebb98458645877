/** Comment, text, regular expression where a value may stand, or one character of code. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=(?:[(,=:[!&|?{};+]|=>|\breturn)\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|[\s\S]/y;
/** Text of a template up to its end or to a value inside it. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y;

/**
 * Source without comments and without the insides of texts, for rules about the code itself. Values inside a template
 * are code. Lines and columns stay in place.
 */
export function codeOnly(source: string): string {
  /** For every template we are inside of, the braces open in the value being read. */
  const braces: number[] = [];
  let out = '';
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const token = pattern.exec(source)?.[0] ?? '';
    at += token.length;
    return token;
  };
  const template = () => {
    const text = take(TEMPLATE);
    const inner = text.endsWith('${');
    out += blank(text);
    if (inner) braces.push(0);
  };
  while (at < source.length) {
    const token = take(TOKEN);
    const depth = braces.at(-1);
    if (token === '`') {
      out += "'";
      template();
    } else if (token === '}' && depth === 0) {
      braces.pop();
      out += ' ';
      template();
    } else {
      if (token === '{' && depth !== undefined) braces[braces.length - 1] = depth + 1;
      if (token === '}' && depth !== undefined) braces[braces.length - 1] = depth - 1;
      out += token.length < 2 ? token : hidden(token);
    }
  }
  return out;
}

function hidden(token: string): string {
  return token.startsWith('/') ? blank(token) : `'${blank(token.slice(1, -1))}'`;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
