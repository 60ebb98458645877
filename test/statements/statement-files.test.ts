import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fixture, line, parsed } from './parse.ts';

interface ReadStatement {
  /** Number, bank, name, type and currency. */
  readonly account: string;
  readonly closing: string | null;
  readonly days: string;
  readonly rows: readonly string[];
  readonly unreadable: readonly string[];
}

interface ReadFile {
  readonly file: string;
  readonly format: string;
  readonly statements: readonly ReadStatement[];
}

/** What each file says, read off it by eye; the files have the quirks that banks' exports have. */
const FILES: readonly ReadFile[] = [
  {
    file: 'af-bij.csv',
    format: 'csv',
    statements: [
      {
        account: 'NL20INGB0001234567 | - | - | - | -',
        closing: null,
        days: '- -',
        rows: [
          '2 2026-01-31 -12.34 Pasvolgnr: 001 | by=Albert Heijn',
          '3 2026-01-30 1000.00 Huur | by=J Jansen',
        ],
        unreadable: [],
      },
      {
        account: 'NL91INGB0007654321 | - | - | - | -',
        closing: null,
        days: '- -',
        rows: ['4 2026-01-30 5.00 Spaar | by=J Jansen'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'ambiguous.csv',
    format: 'csv',
    statements: [
      {
        account: '- | - | - | - | -',
        closing: null,
        days: '- -',
        rows: ['2 2026-02-01 1234 Uno', '3 2026-02-02 2500 Dos'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'batch-v2.xml',
    format: 'camt',
    statements: [
      {
        account: 'DE89370400440532013000 | COBADEFFXXX | Giro | - | eur',
        closing: '-12.34 2026-01-31',
        days: '2026-01-01 2026-01-31',
        rows: [
          '1 2026-01-05 -10.00 Anna & Co | value=2026-01-06 | memo=Invoice 1',
          '2 2026-01-05 -20.00 Ben | value=2026-01-06 | ref=B1-2 | memo=RF18539007547034',
          '3 2026-01-07 -99.00 Batch payment | ref=B2',
          '4 2026-01-08 7.00 Gym',
        ],
        unreadable: ['5 amount'],
      },
    ],
  },
  {
    file: 'checking-sgml.ofx',
    format: 'ofx',
    statements: [
      {
        account: '0099-887766 | 000412345 | - | transaction | cad',
        closing: '2155.55 2026-01-31',
        days: '2026-01-01 2026-01-31',
        rows: [
          '1 2026-01-03 -12.50 Café Marks & Sons | at=2026-01-03T14:30:05.250-05:00 | ref=A1 | class=payment',
          '2 2026-01-05 -1.95 Account fee | ref=A2 | memo=Plan "B&C" | class=fee',
          '3 2026-01-07 -300 CHECK 1042 | ref=A3 | class=payment',
          '4 2026-01-09 2500.00 Northern Mills Ltd | value=2026-01-12 | ref=A4 | memo=Salary 5 < 6',
          '7 2026-01-31 -20.00 usd Bookshop | ref=A7',
        ],
        unreadable: ['5 date', '6 amount'],
      },
    ],
  },
  {
    file: 'dutch.940',
    format: 'mt940',
    statements: [
      {
        account: 'NL20INGB0001234567 | - | - | - | eur',
        closing: '121.00 2026-01-16',
        days: '2026-01-14 2026-01-16',
        rows: [
          '1 2026-01-15 25.00 ING BANK NV INZAKE WEB | ref=26015123456 | memo=Factuur 7/2026 | class=transfer',
          '2 2026-01-15 -5.00 J.JANSEN | memo=Huur januari | class=transfer',
          '3 2026-01-15 1.00 Rente over december | class=interest',
        ],
        unreadable: [],
      },
    ],
  },
  {
    file: 'french.csv',
    format: 'csv',
    statements: [
      {
        account: '- | - | - | - | -',
        closing: null,
        days: '- -',
        rows: ['2 2026-01-31 -3.20 CARTE BOULANGERIE', '3 2026-01-30 2100.00 VIREMENT SALAIRE'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'german.qif',
    format: 'qif',
    statements: [
      {
        account: '- | - | - | transaction | -',
        closing: null,
        days: '- -',
        rows: ['1 2026-01-03 -1234.50 Bäckerei', '2 2026-01-04 12.00 Gutschrift'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'german.sta',
    format: 'mt940',
    statements: [
      {
        account: '0532013000 | 37040044 | - | - | eur',
        closing: '984.00 2026-01-03',
        days: '2025-12-30 2026-01-03',
        rows: [
          '1 2026-01-02 -12.5 Stadtwerke Musterstadt GmbH | value=2025-12-30 | ref=8277266002A | memo=Strom Dezember Kundennummer 4711 | class=payment',
          '2 2026-01-02 -3.00 Erika Muster | memo=Konto geschlossen | class=transfer',
          '3 2026-01-03 0.50 ENTGELT-STORNO | class=fee',
          '4 2026-02-28 -1.00 NMSC',
        ],
        unreadable: ['5 row'],
      },
    ],
  },
  {
    file: 'intraday.942',
    format: 'mt940',
    statements: [
      {
        account: 'CH9300762011623852957 | - | - | - | chf',
        closing: null,
        days: '- -',
        rows: ['1 2026-01-17 -8 Angekuendigte Zahlung | pending=yes', '2 2026-01-17 10 Einzahlung'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'pending-v8.xml',
    format: 'camt',
    statements: [
      {
        account: '0012-34 | UBSWCHZH80A | - | savings | chf',
        closing: '10.5 2026-01-31',
        days: '- -',
        rows: [
          '1 2026-01-31 -8.05 Bäckerei Zürich | at=2026-01-31T09:15:00+01:00 | class=payment | pending=yes',
          '2 2026-01-30 -3.00 eur Fremdwaehrungsgebuehr | class=fee',
        ],
        unreadable: [],
      },
    ],
  },
  {
    file: 'quicken.qif',
    format: 'qif',
    statements: [
      {
        account: '- | - | Everyday | transaction | -',
        closing: null,
        days: '- -',
        rows: [
          '1 2026-01-31 -1234.50 Landlord | memo=Rent | category=Housing:Rent',
          '2 2026-01-05 2000.00 Employer',
          '3 2025-12-28 -15.00 Transfer out | class=transfer',
        ],
        unreadable: ['4 date'],
      },
      {
        account: '- | - | Visa | credit-card | -',
        closing: null,
        days: '- -',
        rows: ['5 2026-02-01 -9.99 Music'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'several-accounts.ofx',
    format: 'ofx',
    statements: [
      {
        account: '111 | 021000021 | - | savings | usd',
        closing: '100.42 2026-01-31',
        days: '2026-01-01 2026-01-31',
        rows: [
          '1 2026-01-31 0.42 Interest & more | ref=i1 | class=interest',
          '2 2026-02-01 -9.99 Music © Shop <1> | ref=p1 | pending=yes',
        ],
        unreadable: [],
      },
      {
        account: '4111000011112222 | - | - | credit-card | usd',
        closing: '-33.10 2026-01-31',
        days: '2026-01-01 2026-01-31',
        rows: ['3 2026-01-15 -33.10 Fuel | ref=c1'],
        unreadable: [],
      },
      {
        account: 'INV9 | broker.example | - | investment | usd',
        closing: null,
        days: '2026-01-01 2026-01-31',
        rows: ['4 2026-01-10 1000.00 Deposit | ref=v1 | class=transfer'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'sparkasse.csv',
    format: 'csv',
    statements: [
      {
        account: 'DE89 3704 0044 0532 0130 00 | - | - | - | eur',
        closing: '765.50 2026-01-31',
        days: '- -',
        rows: [
          '7 2026-01-31 -1234.50 Rechnung 12; Teil 1 | by=Müller GmbH',
          '8 2026-01-15 500.00 Danke | value=2026-01-16 | by=Erika',
          '9 2026-01-02 -50.00 Strom | by=Stadtwerke',
        ],
        unreadable: [],
      },
    ],
  },
  {
    file: 'swiss.csv',
    format: 'csv',
    statements: [
      {
        account: '- | - | - | - | -',
        closing: '2500.00 2026-01-30',
        days: '- -',
        rows: ['2 2026-01-30 1500.00 GIRO AUS KONTO', '3 2026-01-29 -99.95 KAUF/DIENSTLEISTUNG'],
        unreadable: [],
      },
    ],
  },
  {
    file: 'uk-columns.csv',
    format: 'csv',
    statements: [
      {
        account: '- | - | - | - | -',
        closing: '85.00 2026-01-13',
        days: '- -',
        rows: ["5 2026-01-13 -15.00 =cmd|' /C calc'!A0", '6 2026-01-12 1100.00 Multi line "quoted"'],
        unreadable: ['7 row'],
      },
    ],
  },
  {
    file: 'us-card.csv',
    format: 'csv',
    statements: [
      {
        account: '- | - | - | - | -',
        closing: null,
        days: '- -',
        rows: [
          '2 2026-01-31 -4.50 COFFEE',
          '3 2026-01-30 250.00 PAYMENT - THANK YOU',
          '4 2026-01-14 -20.00 BOOKS',
          '5 2026-01-13 -19.00 BOOKS',
        ],
        unreadable: [],
      },
    ],
  },
];

describe('a statement file is read as it says, by its contents alone', () => {
  for (const { file, format, statements } of FILES) {
    test(file, async () => {
      const read = await parsed(fixture(file));
      assert.equal(read.format, format);
      assert.deepEqual(
        read.statements.map((statement): ReadStatement => {
          const { number, bank, name, type, currency } = statement.account;
          const { closing, from, to } = statement;
          return {
            account: [number, bank, name, type, currency].map((part) => part ?? '-').join(' | '),
            closing: closing === null ? null : `${closing.amount} ${closing.date}`,
            days: `${from ?? '-'} ${to ?? '-'}`,
            rows: statement.rows.map(line),
            unreadable: statement.unreadable.map(({ position, field }) => `${position} ${field}`),
          };
        }),
        statements,
      );
    });
  }

  test('every file of the folder is in the table', () => {
    assert.deepEqual(
      readdirSync(new URL('files/', import.meta.url)).toSorted(),
      FILES.map(({ file }) => file).toSorted(),
    );
  });
});
