/**
 * Checks a file by the rules of OFX 2.2 (sections 2.2, 3.2 and 11.4) that concern statements: the two processing
 * instructions, well-formed XML, the elements of each aggregate in the standard's order, their lengths and forms.
 * Written apart from the service, which knows none of these tables.
 */

export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: Element[];
}

type Form = 'date' | 'amount' | 'currency' | number | readonly string[];
interface Part {
  readonly name: string;
  readonly form?: Form;
  readonly optional?: true;
  readonly many?: true;
}

const req = (name: string, form?: Form): Part => (form === undefined ? { name } : { name, form });
const opt = (name: string, form?: Form): Part => ({ ...req(name, form), optional: true });
const many = (name: string): Part => ({ name, optional: true, many: true });

const BALANCE = [req('BALAMT', 'amount'), req('DTASOF', 'date')];
const TRANSACTION_TYPES =
  'CREDIT DEBIT INT DIV FEE SRVCHG DEP ATM POS XFER CHECK PAYMENT CASH DIRECTDEP'.split(' ');
const statement = (account: string): readonly Part[] => [
  req('CURDEF', 'currency'),
  req(account),
  opt('BANKTRANLIST'),
  req('LEDGERBAL'),
  opt('AVAILBAL'),
];
const answer = (body: string): readonly Part[] => [req('TRNUID', 36), req('STATUS'), opt(body)];

const AGGREGATES: Readonly<Record<string, readonly Part[]>> = {
  OFX: [req('SIGNONMSGSRSV1'), opt('BANKMSGSRSV1'), opt('CREDITCARDMSGSRSV1')],
  SIGNONMSGSRSV1: [req('SONRS')],
  SONRS: [req('STATUS'), req('DTSERVER', 'date'), req('LANGUAGE', ['ENG'])],
  STATUS: [req('CODE', ['0']), req('SEVERITY', ['INFO', 'WARN', 'ERROR'])],
  BANKMSGSRSV1: [many('STMTTRNRS')],
  CREDITCARDMSGSRSV1: [many('CCSTMTTRNRS')],
  STMTTRNRS: answer('STMTRS'),
  CCSTMTTRNRS: answer('CCSTMTRS'),
  STMTRS: statement('BANKACCTFROM'),
  CCSTMTRS: statement('CCACCTFROM'),
  BANKACCTFROM: [
    req('BANKID', 9),
    req('ACCTID', 22),
    req('ACCTTYPE', ['CHECKING', 'SAVINGS', 'MONEYMRKT', 'CREDITLINE', 'CD']),
  ],
  CCACCTFROM: [req('ACCTID', 22)],
  BANKTRANLIST: [req('DTSTART', 'date'), req('DTEND', 'date'), many('STMTTRN')],
  LEDGERBAL: BALANCE,
  AVAILBAL: BALANCE,
  STMTTRN: [
    req('TRNTYPE', TRANSACTION_TYPES),
    req('DTPOSTED', 'date'),
    opt('DTUSER', 'date'),
    opt('DTAVAIL', 'date'),
    req('TRNAMT', 'amount'),
    req('FITID', 255),
    opt('CHECKNUM', 12),
    opt('REFNUM', 32),
    opt('NAME', 32),
    opt('EXTDNAME', 100),
    opt('MEMO', 255),
  ],
};

const DATE = /^\d{8}(?:\d{6}(?:\.\d{3})?)?(?:\[[+-]?\d{1,2}(?:\.\d{2})?(?::[A-Z]{3,4})?\])?$/;
const AMOUNT = /^[+-]?\d+(?:[.,]\d*)?$/;
const INSTRUCTIONS =
  /^<\?xml version="1\.0" encoding="UTF-8" standalone="no"\?>\s*<\?OFX OFXHEADER="200" VERSION="2[0-3]\d" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"\?>\s*/;

/** The document as elements; raises where it is not well-formed. */
export function parseOfx(text: string): Element {
  const begin = INSTRUCTIONS.exec(text);
  if (begin === null) throw new Error('the processing instructions are not those of OFX 2');
  const open: { name: string; text: string; children: Element[] }[] = [{ name: '', text: '', children: [] }];
  const tokens = /<(\/?)([A-Z0-9.]+)>|([^<]+)|(<)/g;
  for (const [, slash, name, characters, stray] of text.slice(begin[0].length).matchAll(tokens)) {
    const top = open.at(-1);
    if (top === undefined || stray !== undefined) throw new Error('the document is not well-formed');
    if (characters !== undefined) top.text += unescaped(characters);
    else if (slash === '') open.push({ name: name ?? '', text: '', children: [] });
    else {
      if (top.name !== name || open.length === 1) throw new Error(`</${name}> closes <${top.name}>`);
      open.pop();
      open.at(-1)?.children.push(top);
    }
  }
  const [root] = open;
  if (open.length !== 1 || root?.children.length !== 1) throw new Error('the document does not end');
  return root.children[0] ?? root;
}

/** What breaks a rule of the standard; empty for a file that keeps them. */
export function ofxFaults(element: Element, fitIds = new Set<string>()): string[] {
  const parts = AGGREGATES[element.name];
  if (parts === undefined) return [`<${element.name}> is no aggregate here`];
  const faults = element.text.trim() === '' ? [] : [`text in <${element.name}>`];
  let at = 0;
  for (const part of parts) {
    let seen = 0;
    for (let child = element.children[at]; child?.name === part.name; child = element.children[at]) {
      seen += 1;
      at += 1;
      faults.push(
        ...(part.form === undefined ? ofxFaults(child, scope(child, fitIds)) : formFaults(child, part.form)),
      );
      if (child.name === 'FITID') {
        if (fitIds.has(child.text)) faults.push(`FITID ${child.text} twice in a statement`);
        fitIds.add(child.text);
      }
      if (part.many === undefined) break;
    }
    if (seen === 0 && part.optional === undefined) faults.push(`<${element.name}> lacks ${part.name}`);
  }
  const extra = element.children[at];
  if (extra !== undefined) faults.push(`<${extra.name}> is out of place in <${element.name}>`);
  return faults;
}

/** FITIDs are unique within an account. */
function scope({ name }: Element, fitIds: Set<string>): Set<string> {
  return name === 'BANKTRANLIST' ? new Set() : fitIds;
}

function formFaults({ name, text, children }: Element, form: Form): string[] {
  const fits =
    typeof form === 'number'
      ? text !== '' && [...text].length <= form
      : form === 'date'
        ? DATE.test(text) && Number(text.slice(4, 6)) <= 12 && Number(text.slice(6, 8)) <= 31
        : form === 'amount'
          ? AMOUNT.test(text) && text.length <= 32
          : form === 'currency'
            ? /^[A-Z]{3}$/.test(text)
            : form.includes(text);
  return fits && children.length === 0 ? [] : [`<${name}> is ${text.slice(0, 60)}`];
}

function unescaped(text: string): string {
  if (/&(?!amp;|lt;|gt;|quot;|apos;|#)/.test(text)) throw new Error('an ampersand is not escaped');
  if ([...text].some((one) => one < ' ' && !'\t\n\r'.includes(one)))
    throw new Error('a character XML does not allow');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** All elements of a name, in order. */
export function elementsOf(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}
