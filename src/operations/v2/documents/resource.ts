import { type Static, Type } from 'typebox';
import { type DocumentPreview, LAYOUT_SOURCES } from '../../../features/documents/document-taking.ts';
import type { OpenedDocument } from '../../../features/documents/documents.ts';
import { CSV_DOUBTS, type CsvLayout, STATEMENT_FORMATS } from '../../../statements/statement-contract.ts';
import type { Account } from '../../../storage/accounts.ts';
import { ACCOUNT_TYPES, maskAccountNumber } from '../../../vocabulary/account-types.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { DOCUMENT_STATUSES } from '../../../vocabulary/states.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { aud, EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { limited } from '../schema/bounds.ts';
import {
  currency,
  day,
  idOf,
  livemode,
  moment,
  momentOrNull,
  moneySchema,
  nullable,
  oneOf,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';

const MOST_RETAIN_DAYS = 3650;
const MOST_COLUMNS = 200;
/** How many rows of a file a preview shows. */
export const PREVIEWED_ROWS = 20;

const count = Type.Integer({ minimum: 0 });
const column = Type.Integer({ minimum: 0, maximum: MOST_COLUMNS - 1 });
const closedObject = { additionalProperties: false };
const delimiter = oneOf([',', ';', '\t', '|']);
const skipLines = Type.Integer({ minimum: 0, maximum: 1000, description: 'Lines before the header.' });

/** How a CSV is read (docs/statement-files.md#preview). */
export const layoutSchema = Type.Object(
  {
    delimiter,
    skip_lines: skipLines,
    header: Type.Boolean(),
    columns: Type.Object(
      {
        date: column,
        value_date: nullable(column),
        amount: nullable(column),
        debit: nullable(column),
        credit: nullable(column),
        direction: nullable(column),
        description: Type.Array(column, { minItems: 1, maxItems: 10 }),
        counterparty: nullable(column),
        reference: nullable(column),
        currency: nullable(column),
        category: nullable(column),
        balance: nullable(column),
        account: nullable(column),
      },
      {
        ...closedObject,
        description:
          'Columns counted from 0. Either amount, with direction where it has no sign, or debit and credit.',
      },
    ),
    date_order: oneOf(['ymd', 'dmy', 'mdy']),
    decimal_sign: oneOf(['.', ',']),
    positive: oneOf(['in', 'out']),
  },
  closedObject,
);
type ShownLayout = Static<typeof layoutSchema>;

const partSchema = Type.Object({ account: idOf('account'), rows: count, live_rows: count }, closedObject);

/** docs/resources.md#document. */
export const documentSchema = resource('document', {
  id: idOf('document'),
  object: Type.Literal('document'),
  name: Type.String(),
  format: oneOf(STATEMENT_FORMATS),
  bytes: count,
  status: oneOf(DOCUMENT_STATUSES),
  connection: nullable(idOf('connection')),
  account: nullable(idOf('account')),
  layout: nullable(layoutSchema),
  retain_days: nullable(count),
  parts: Type.Array(partSchema),
  taken_at: nullable(timestamp),
  delivered_at: nullable(timestamp),
  livemode,
  created: timestamp,
  updated: timestamp,
});

const settings = {
  account: Type.Optional(nullable(idOf('account'))),
  layout: Type.Optional(nullable(layoutSchema)),
  retain_days: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: MOST_RETAIN_DAYS }))),
};
export const createDocumentBody = Type.Object({
  name: text(FIXED_LIMITS.name_characters),
  content: Type.String({ minLength: 1, ...limited({ maxLength: ['document_bytes', 'base64'] }) }),
  ...settings,
});
export const updateDocumentBody = Type.Object(settings);

const rowOutcome = oneOf(['new', 'known', 'live']);
const previewedRow = Type.Object(
  {
    date: day,
    description: Type.String(),
    counterparty: nullable(Type.String()),
    amount: moneySchema,
    amount_decimal: Type.String(),
    outcome: rowOutcome,
  },
  closedObject,
);
const previewedStatement = Type.Object(
  {
    account: nullable(idOf('account')),
    live_account: nullable(idOf('account')),
    alike_account: nullable(idOf('account')),
    name: Type.String(),
    type: oneOf(ACCOUNT_TYPES),
    account_number: nullable(Type.String()),
    currency,
    from: nullable(day),
    to: nullable(day),
    new_rows: count,
    known_rows: count,
    live_rows: count,
    pending_rows: count,
    unreadable: Type.Array(
      Type.Object({ position: count, field: oneOf(['date', 'amount', 'row']) }, closedObject),
    ),
    unreadable_rows: count,
    rows: Type.Array(previewedRow),
  },
  closedObject,
);

/** docs/statement-files.md#preview. */
export const documentPreviewSchema = resource('document_preview', {
  object: Type.Literal('document_preview'),
  document: idOf('document'),
  format: oneOf(STATEMENT_FORMATS),
  csv: nullable(
    Type.Object(
      {
        layout: nullable(layoutSchema),
        layout_from: nullable(oneOf(LAYOUT_SOURCES)),
        guessed: nullable(layoutSchema),
        delimiter,
        skip_lines: skipLines,
        doubts: Type.Array(oneOf(CSV_DOUBTS)),
        header: Type.Array(Type.String()),
        rows: Type.Array(
          Type.Object(
            {
              position: count,
              cells: Type.Array(Type.String()),
              unreadable: nullable(oneOf(['date', 'amount', 'row'])),
            },
            closedObject,
          ),
        ),
      },
      closedObject,
    ),
  ),
  statements: Type.Array(previewedStatement),
});

export const documentFileSchema = resource('document_file', {
  object: Type.Literal('document_file'),
  document: idOf('document'),
  name: Type.String(),
  content: Type.String(),
});

export function presentDocument({
  id,
  document,
  name,
  status,
}: OpenedDocument): Static<typeof documentSchema> {
  return {
    id: publicId('document', id),
    object: 'document',
    name,
    format: document.format,
    bytes: document.bytes,
    status,
    connection: document.connection === null ? null : publicId('connection', document.connection),
    account: document.account === null ? null : publicId('account', document.account),
    layout: document.layout === null ? null : presentLayout(document.layout),
    retain_days: document.retain_days,
    parts: document.parts.map(({ account, rows, live }) => ({
      account: publicId('account', account),
      rows,
      live_rows: live,
    })),
    taken_at: momentOrNull(document.taken_at),
    delivered_at: momentOrNull(document.delivered_at),
    livemode: true,
    created: moment(document.created),
    updated: moment(document.updated),
  };
}

export function presentPreview({
  opened,
  csv,
  statements,
}: DocumentPreview): Static<typeof documentPreviewSchema> {
  return {
    object: 'document_preview',
    document: publicId('document', opened.id),
    format: opened.document.format,
    csv:
      csv === null
        ? null
        : {
            layout: csv.layout === null ? null : presentLayout(csv.layout),
            layout_from: csv.layoutFrom,
            guessed: csv.guess.layout === null ? null : presentLayout(csv.guess.layout),
            delimiter: (csv.layout ?? csv.guess).delimiter,
            skip_lines: (csv.layout ?? csv.guess).skipLines,
            doubts: [...csv.guess.doubts],
            header: [...csv.header],
            rows: csv.rows.map(({ position, cells, unreadable }) => ({
              position,
              cells: [...cells],
              unreadable,
            })),
          },
    statements: statements.map(({ plan, alike, counts, rows }) => ({
      account: accountIdOf(plan.ofFiles),
      live_account: accountIdOf(plan.live),
      alike_account: alike === null ? null : publicId('account', alike),
      name: plan.ofFiles?.name ?? plan.seen.name,
      type: plan.ofFiles?.type ?? plan.seen.type,
      account_number: plan.ofFiles?.masked_number ?? maskAccountNumber(plan.seen.number),
      currency: plan.ofFiles?.currency ?? plan.seen.currency,
      from: plan.from,
      to: plan.to,
      new_rows: counts.new,
      known_rows: counts.known,
      live_rows: counts.live,
      pending_rows: plan.pending,
      unreadable: plan.unreadable
        .slice(0, PREVIEWED_ROWS)
        .map(({ position, field }) => ({ position, field })),
      unreadable_rows: plan.unreadable.length,
      rows: rows.map(({ row, outcome }) => ({
        date: row.date ?? '',
        description: row.description,
        counterparty: row.merchant_name,
        amount: row.amount,
        amount_decimal: row.amount_decimal,
        outcome,
      })),
    })),
  };
}

function accountIdOf(account: Account | null): string | null {
  return account === null ? null : publicId('account', account.id);
}

function presentLayout({
  delimiter,
  skipLines,
  header,
  columns,
  dateOrder,
  decimalSign,
  positive,
}: CsvLayout): ShownLayout {
  const { valueDate, description, ...others } = columns;
  return {
    delimiter,
    skip_lines: skipLines,
    header,
    columns: { ...others, description: [...description], value_date: valueDate },
    date_order: dateOrder,
    decimal_sign: decimalSign,
    positive,
  };
}

/** The layout that a caller sent; null and absent stay what they are. */
export function layoutOf(sent: ShownLayout | null | undefined): CsvLayout | null | undefined {
  if (sent === null || sent === undefined) return sent;
  const { value_date: valueDate, ...columns } = sent.columns;
  return {
    delimiter: sent.delimiter,
    skipLines: sent.skip_lines,
    header: sent.header,
    columns: { ...columns, valueDate },
    dateOrder: sent.date_order,
    decimalSign: sent.decimal_sign,
    positive: sent.positive,
  };
}

export const exampleLayout: ShownLayout = {
  delimiter: ';',
  skip_lines: 0,
  header: true,
  columns: {
    date: 0,
    value_date: null,
    amount: 2,
    debit: null,
    credit: null,
    direction: null,
    description: [1],
    counterparty: null,
    reference: null,
    currency: null,
    category: null,
    balance: 3,
    account: null,
  },
  date_order: 'dmy',
  decimal_sign: ',',
  positive: 'in',
};

export const documentExample: Static<typeof documentSchema> = {
  id: exampleId('document'),
  object: 'document',
  name: 'statement-october.ofx',
  format: 'ofx',
  bytes: 48_211,
  status: 'taken',
  connection: exampleId('connection'),
  account: null,
  layout: null,
  retain_days: 30,
  parts: [{ account: exampleId('account'), rows: 112, live_rows: 9 }],
  taken_at: EXAMPLE_UPDATED,
  delivered_at: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};

const EXAMPLE_TEXT = 'Date,Description,Amount\n2026-10-30,Corner Coffee,-4.50\n';
export const exampleFile = {
  name: 'october.csv',
  content: Buffer.from(EXAMPLE_TEXT).toString('base64'),
};

export const uploadedExample: Static<typeof documentSchema> = {
  ...documentExample,
  name: exampleFile.name,
  format: 'csv',
  bytes: EXAMPLE_TEXT.length,
  status: 'uploaded',
  connection: null,
  parts: [],
  taken_at: null,
  updated: EXAMPLE_CREATED,
};

export const previewExample: Static<typeof documentPreviewSchema> = {
  object: 'document_preview',
  document: documentExample.id,
  format: 'ofx',
  csv: null,
  statements: [
    {
      account: exampleId('account'),
      live_account: null,
      alike_account: null,
      name: 'Everyday',
      type: 'transaction',
      account_number: 'xxxx4321',
      currency: 'aud',
      from: '2026-10-01',
      to: '2026-10-31',
      new_rows: 112,
      known_rows: 14,
      live_rows: 0,
      pending_rows: 0,
      unreadable: [],
      unreadable_rows: 0,
      rows: [
        {
          date: '2026-10-30',
          description: 'Corner Coffee',
          counterparty: null,
          amount: aud(-450),
          amount_decimal: '-4.50',
          outcome: 'new',
        },
      ],
    },
  ],
};

export const documentsDocs: Readonly<Record<string, ResourceDocs>> = {
  document: {
    description: 'A statement file that was uploaded. It is kept sealed until it is deleted.',
    fields: {
      status:
        'uploaded: nothing is read from it yet; taken: its rows are shown; undone: they were taken out again.',
      connection: 'The connection of category documents, once it was taken.',
      account: 'The account that its owner said it belongs to; null if the number in the file decides.',
      layout: 'How its owner said that a CSV is read; null: as guessed, or as the last one of its account.',
      retain_days: 'Days until it is deleted, from delivered_at; null: it is kept until you delete it.',
      parts: 'What was taken: rows that are shown, and live_rows that the live feed of the account has.',
      delivered_at: 'When every sync of its accounts was found to have delivered it.',
    },
    example: documentExample,
  },
  document_preview: {
    description: 'What is in a file, and which of its rows are new.',
    fields: {
      csv: 'How a CSV is read; layout is null if the columns have to be named, of rows that are split at delimiter, and layout_from says who decided it. Cells are shown as written.',
      statements: 'One for each account in the file; account is null if it is made when the file is taken.',
    },
    example: previewExample,
  },
  document_file: {
    description: 'A statement file as it was uploaded.',
    fields: { content: 'Its bytes as base64.' },
    example: {
      object: 'document_file',
      document: documentExample.id,
      ...exampleFile,
    },
  },
};
