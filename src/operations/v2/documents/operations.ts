import { type Static, Type } from 'typebox';
import type { DocumentSettings } from '../../../features/documents/documents.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import { publicId } from '../../../vocabulary/ids.ts';
import { invalidParameter } from '../../../vocabulary/service-error.ts';
import { type Operation, operation } from '../../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../../paging.ts';
import { ACCOUNT_READ_ERRORS } from '../../read-errors.ts';
import { deletedAnswer, deletedSchema, fieldId, idParams, pathId } from '../schema/conventions.ts';
import {
  createDocumentBody,
  documentFileSchema,
  documentPreviewSchema,
  documentSchema,
  exampleFile,
  layoutOf,
  PREVIEWED_ROWS,
  presentDocument,
  presentPreview,
  updateDocumentBody,
  uploadedExample,
} from './resource.ts';

const path = '/v2/documents';
const read = 'connections:read';
const write = 'connections:write';
/** What reading the live feed answers; the account is one of a bank, and one that it no longer returns has no rows. */
const liveReadErrors: readonly ErrorCode[] = [
  ...ACCOUNT_READ_ERRORS.filter(
    (code) => code !== 'wrong_endpoint_for_category' && code !== 'account_unavailable',
  ),
  'categories_seed_failed',
];
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** docs/resources.md#document. */
export const documentOperations: readonly Operation[] = [
  operation({
    id: 'list_documents',
    summary: 'List statement files',
    method: 'GET',
    path,
    scope: read,
    tier: 'cheap',
    query: Type.Object(pagingQuery),
    response: listOf(documentSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_documents', path, request.query);
      const { caller, services } = request;
      const page = await services.documents.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presentDocument);
    },
  }),
  operation({
    id: 'create_document',
    summary: 'Upload a statement file; nothing is read from it until it is taken',
    docs: {
      description:
        'OFX, QFX, QIF, CSV, CAMT.053 or MT940. The format is recognised by the content. The same file again is the same document. The body may be larger than others by the file.',
      sent: {
        content: 'The bytes of the file, as base64.',
        account: 'The account it belongs to, of files or linked live, if the file has no number of it.',
      },
      body: { name: exampleFile.name, content: exampleFile.content },
      answer: uploadedExample,
    },
    method: 'POST',
    path,
    scope: write,
    tier: 'heavy',
    effect: 'reaches_out',
    audit: 'document.uploaded',
    file: 'document_bytes',
    body: createDocumentBody,
    response: documentSchema,
    errors: ['resource_missing', 'document_unusable'],
    handle: async ({ body, caller, services, signal }) => {
      const { name, content } = body;
      if (!BASE64.test(content) || content.length % 4 !== 0)
        throw invalidParameter('content', 'content must be the bytes of the file as base64.');
      const input = { name, content: Buffer.from(content, 'base64'), ...settingsOf(body) };
      return presentDocument(await services.documents.create(caller.accountRecord.id, input, signal));
    },
  }),
  operation({
    id: 'get_document',
    summary: 'Read a statement file’s record',
    method: 'GET',
    path: `${path}/:id`,
    scope: read,
    tier: 'cheap',
    params: idParams('document'),
    response: documentSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentDocument(await services.documents.read(caller.accountRecord.id, pathId('document', params.id))),
  }),
  operation({
    id: 'get_document_file',
    summary: 'Download a statement file as it was uploaded',
    method: 'GET',
    path: `${path}/:id/file`,
    scope: read,
    alsoScopes: ['data:read'],
    tier: 'heavy',
    params: idParams('document'),
    response: documentFileSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      const id = pathId('document', params.id);
      const { name, content } = await services.documents.file(caller.accountRecord.id, id);
      return {
        object: 'document_file' as const,
        document: publicId('document', id),
        name,
        content: content.toString('base64'),
      };
    },
  }),
  operation({
    id: 'preview_document',
    summary: 'Show what is in a statement file, and which of its rows are new',
    docs: { description: 'Changes nothing. Reads the live feed of an account that is linked as well.' },
    method: 'GET',
    path: `${path}/:id/preview`,
    scope: read,
    alsoScopes: ['data:read'],
    tier: 'heavy',
    params: idParams('document'),
    response: documentPreviewSchema,
    errors: [...liveReadErrors, 'document_unusable'],
    handle: async ({ params, caller, services, signal }) =>
      presentPreview(
        await services.documentTaking.preview(
          caller.accountRecord.id,
          pathId('document', params.id),
          PREVIEWED_ROWS,
          signal,
        ),
      ),
  }),
  operation({
    id: 'update_document',
    summary: 'Say which account a statement file belongs to, how it is read, and how long it is kept',
    docs: {
      description:
        'Omitted fields are unchanged. Account and layout can be changed until the file is taken; both are remembered for the next file of the account.',
      body: { retain_days: 7 },
    },
    method: 'POST',
    update: true,
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    params: idParams('document'),
    body: updateDocumentBody,
    response: documentSchema,
    errors: ['resource_missing', 'document_taken'],
    handle: async ({ params, body, caller, services }) => {
      const id = pathId('document', params.id);
      return presentDocument(await services.documents.update(caller.accountRecord.id, id, settingsOf(body)));
    },
  }),
  operation({
    id: 'take_document',
    summary: 'Show the rows of a statement file as transactions of its account',
    docs: {
      description:
        'Rows that an earlier file has are the same rows; rows that the live feed of the account has are left out. The connection and the account are made if they are missing. One that is taken already stays as it is.',
    },
    method: 'POST',
    path: `${path}/:id/take`,
    scope: write,
    tier: 'heavy',
    effect: 'reaches_out',
    audit: 'document.taken',
    params: idParams('document'),
    response: documentSchema,
    errors: [...liveReadErrors, 'document_unusable', 'connection_limit'],
    handle: async ({ params, caller, services, signal }) =>
      presentDocument(
        await services.documentTaking.take(
          caller.accountRecord.id,
          pathId('document', params.id),
          caller,
          signal,
        ),
      ),
  }),
  operation({
    id: 'undo_document',
    summary: 'Take the rows of a statement file out again; the file stays',
    docs: { description: 'Rows that another file has as well stay.' },
    method: 'POST',
    path: `${path}/:id/undo`,
    scope: write,
    tier: 'mutating',
    audit: 'document.undone',
    params: idParams('document'),
    response: documentSchema,
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) =>
      presentDocument(
        await services.documentTaking.undo(caller.accountRecord.id, pathId('document', params.id)),
      ),
  }),
  operation({
    id: 'delete_document',
    summary: 'Delete a statement file with every row that was taken from it',
    method: 'DELETE',
    path: `${path}/:id`,
    scope: write,
    tier: 'mutating',
    audit: 'document.deleted',
    params: idParams('document'),
    response: deletedSchema('document', 'document'),
    errors: ['resource_missing'],
    handle: async ({ params, caller, services }) => {
      await services.documents.delete(caller.accountRecord.id, pathId('document', params.id));
      return deletedAnswer(params.id, 'document');
    },
  }),
];

function settingsOf({
  account,
  layout,
  retain_days: retainDays,
}: Static<typeof updateDocumentBody>): DocumentSettings {
  return {
    account: account == null ? account : fieldId('account', account, 'account'),
    layout: layoutOf(layout),
    retainDays,
  };
}
