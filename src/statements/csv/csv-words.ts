/** Words of headers in English, German, French, Spanish, Dutch, Italian and Portuguese, folded as `headerWords` does. */

export const COLUMN_ROLES = [
  'date',
  'valueDate',
  'amount',
  'debit',
  'credit',
  'direction',
  'description',
  'kind',
  'counterparty',
  'reference',
  'currency',
  'category',
  'balance',
  'account',
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** For each role what a header says, the best first: `=` is the whole header, without it words in a row within it. */
const WORDS: Readonly<Record<ColumnRole, string>> = {
  date:
    '=buchungstag|=buchungsdatum|=booking date|=posting date|=posted date|=post date|=date posted|=posted|=date comptable|' +
    '=date de comptabilisation|=data contabile|=data contabilizzazione|=fecha contable|=fecha operacion|=fecha de operacion|=boekdatum|=boekingsdatum|=data lancamento|' +
    '=data movimento|=data mov|=date|=datum|=fecha|=data|=datum date|=date operation|=date de l operation|=data operazione|=data operacao|=transaction date|' +
    '=date transaction|=transactiedatum|=transaktionsdatum|=fecha movimiento|buchung|booked|posted|completed date|booking|comptab|contab|datum|belegdatum|date|fecha|data|tag',
  valueDate:
    '=valuta|=wert|wertstellung|valutadatum|valuta datum|value date|date de valeur|date valeur|fecha valor|fecha de valor|data valuta|data valor|rentedatum|datum valuta|effective date|interest date',
  amount:
    '=amount|=betrag|=umsatz|=montant|=importe|=bedrag|=importo|=valor|=montante|=transaction amount|=amount local|=net|betrag|umsatz|montant|importe|bedrag|importo|montante|quantia|amount|valor|total|sum|summe',
  debit:
    '=debit|=debits|=debit amount|=withdrawal|=withdrawals|=money out|=paid out|=out|=soll|=ausgang|=ausgaben|=lastschrift|=belastung|=depenses|=cargo|=cargos|=debe|=gasto|=gastos|=af|=uitgaven|=addebiti|=addebito|=uscite|=dare|=debito|=debitos|=saida|=saidas|=spent|' +
    'debit|withdrawal|money out|paid out|belastung|ausgang|depense|cargo|addebit|uscit|debito|saida|uitgaven',
  credit:
    '=credit|=credits|=credit amount|=deposit|=deposits|=money in|=paid in|=in|=haben|=eingang|=einnahmen|=gutschrift|=recettes|=abono|=abonos|=haber|=ingreso|=ingresos|=bij|=inkomsten|=accrediti|=accredito|=entrate|=avere|=credito|=creditos|=entrada|=entradas|=received|' +
    'credit|deposit|money in|paid in|gutschrift|eingang|recette|abono|ingreso|accredit|entrat|credito|entrada|inkomsten',
  direction:
    '=af bij|=bij af|=debit credit|=credit debit|=debit or credit|=dr cr|=cr dr|=d c|=c d|=d k|=soll haben|=s h|=type|=sens|=signo|=segno|=sinal|=sign|=direction|=transaction type|=kennzeichen|debit credit|credit debit|af bij|soll haben|dr cr|cr dr',
  description:
    '=description|=label|=verwendungszweck|=libelle|=concepto|=descripcion|=omschrijving|=descrizione|=descricao|=details|=memo|=narrative|=beschreibung|=mededelingen|=mededeling|=causale|=historico|' +
    '=text|=buchungsdetails|=zahlungszweck|=reference text|=omschrijving 1|=movimiento|=transaction|=avisierungstext|description|verwendungszweck|libelle|concepto|descripcion|omschrijving|descri|details|memo|narrative|particulars|beschreibung|' +
    'mededeling|causale|historico|motif|communication|observaciones|detalle|remittance|zweck|notes|note|comment|beneficiary or cardholder',
  kind: 'buchungstext|buchungsart|umsatzart|umsatztyp|transaction type|=type|=art|mutatiesoort|tipo|type operation|categorie operation|vorgang|transactiecode',
  counterparty:
    '=payee|=name|=merchant|=merchant name|counterparty name|naam tegenpartij|name zahlungsbeteiligter|beguenstigter zahlungspflichtiger|beguenstigter|begunstigter|auftraggeber empfanger|empfanger|auftraggeber|zahlungsempfanger|zahlungsbeteiligter|partnername|partner name|payee|merchant|counterparty|other party|naam|beneficiaire|tiers|contrepartie|beneficiario|ordenante|controparte|ordinante|name|nome|recipient|payer|sender|zahlungspflichtige',
  reference:
    '=id|=transaction id|=reference|=referenz|=referencia|=referentie|=riferimento|=ref|=bank reference|=fitid|=unique id|transaction id|transactiereferentie|transactie id|bankreferenz|unique id|reference number|numero operation|reference|referenz|referentie|referencia|riferimento',
  currency:
    '=currency|=wahrung|=waehrung|=devise|=divisa|=moneda|=munt|=valuta|=muntsoort|=moeda|currency|wahrung|waehrung|devise|divisa|moneda|moeda',
  category: '=category|=kategorie|=categorie|=categoria|kategorie|category|categoria|rubrique|hauptkategorie',
  balance:
    '=balance|=saldo|=solde|=kontostand|=running balance|saldo nach|balance|saldo|solde|kontostand|guthaben|saldo contabile',
  account:
    '=account|=account number|=account no|=konto|=kontonummer|=auftragskonto|=iban auftragskonto|=bezeichnung auftragskonto|=rekening|=rekeningnummer|=iban bban|=compte|=numero de compte|=cuenta|=numero de cuenta|=conto|=conta|=own account|=from account|=eigene iban',
};

const PATTERNS: Readonly<Record<ColumnRole, readonly string[]>> = patternsOf();

function patternsOf(): Record<ColumnRole, readonly string[]> {
  const of = (role: ColumnRole) => WORDS[role].split('|');
  return {
    date: of('date'),
    valueDate: of('valueDate'),
    amount: of('amount'),
    debit: of('debit'),
    credit: of('credit'),
    direction: of('direction'),
    description: of('description'),
    kind: of('kind'),
    counterparty: of('counterparty'),
    reference: of('reference'),
    currency: of('currency'),
    category: of('category'),
    balance: of('balance'),
    account: of('account'),
  };
}

/** Amounts that are not those of the account: of the original currency, fees, limits. */
const OTHER_AMOUNT =
  /\b(?:original|foreign|fremd|ursprung|ursprungsbetrag|fee|fees|gebuhr|tax|vat|exchange|rate|kurs|limit|instructed|orig|gross|local)\b/;
/** Of the other side. */
const OTHER_SIDE =
  /\b(?:tegen|tegenrekening|tegenpartij|counterparty|gegenkonto|beneficiary|begunstigter|empfanger|to)\b/;

/** A header without accents, capitals and signs: `Buchungs-/Wertstellungstag (EUR)` is `buchungs wertstellungstag eur`. */
export function headerWords(text: string): string {
  return text
    .slice(0, 100)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** How well the header says the role: from 0, the best, or null if it does not. */
export function roleRank(role: ColumnRole, header: string): number | null {
  const words = headerWords(header);
  if (words === '' || (role === 'account' && OTHER_SIDE.test(words))) return null;
  // Words that a header shares with a more telling one: a value date is a date too, and a balance an amount.
  if (
    (role === 'date' || role === 'amount') &&
    roleRank(role === 'date' ? 'valueDate' : 'balance', header) !== null
  )
    return null;
  const plain = words.replace(/ (?:[a-z]{3}|in [a-z]{3})$/, '');
  const rank = PATTERNS[role].findIndex((pattern) =>
    pattern.startsWith('=')
      ? plain === pattern.slice(1) || words === pattern.slice(1)
      : hasWord(words, pattern),
  );
  if (rank < 0) return null;
  return role === 'amount' && OTHER_AMOUNT.test(words) ? rank + PATTERNS.amount.length : rank;
}

/** Long words are found within others too, as in Kundenreferenz; short ones only where a word begins. */
function hasWord(words: string, pattern: string): boolean {
  return pattern.length > 5 ? words.includes(pattern) : ` ${words}`.includes(` ${pattern}`);
}

/** Marks of a column of directions; folded. */
const OUT: ReadonlySet<string> = new Set(
  'af debit debet dr d s soll db out uit dare debito cargo debe debited withdrawal -'.split(' '),
);
const IN: ReadonlySet<string> = new Set(
  'bij credit cr c k h haben in kredit avere credito abono haber credited deposit +'.split(' '),
);

/** What a cell of a column of directions means, or null. */
export function directionIn(cell: string): 'in' | 'out' | null {
  const words = cell.trim().length === 1 ? cell.trim().toLowerCase() : headerWords(cell);
  return OUT.has(words) ? 'out' : IN.has(words) ? 'in' : null;
}
