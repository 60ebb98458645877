import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Document } from '#client';
import { api } from './client.ts';
import { heldRows } from './held-rows.ts';

/** Statement files, newest first (docs/statement-files.md). */
export const documents = queryOptions({
  queryKey: ['documents'],
  queryFn: ({ signal }) => api.documents.list({ limit: 100 }, { signal }).all(),
});

export function oneDocument(id: string) {
  return queryOptions({
    queryKey: ['documents', id],
    queryFn: ({ signal }) => api.documents.get({ id }, { signal }),
  });
}

/** What is in a file, compared with other files and with what the bank has now. */
export function documentPreview(id: string) {
  return queryOptions({
    queryKey: ['document-preview', id],
    queryFn: ({ signal }) => api.documents.preview({ id }, { signal }),
    refetchOnWindowFocus: false,
  });
}

/** `name_characters` in docs/limits.md. */
const MOST_NAME = 200;

/** Uploads a file; the same one again is the same document. */
export async function uploadDocument(file: File, account: string | undefined): Promise<Document> {
  const content = await base64Of(file);
  const name = file.name.slice(0, MOST_NAME);
  return api.documents.create({ name, content, ...(account !== undefined && { account }) });
}

/** Rows of a document appeared or are gone, so everything that shows rows is read again. */
export function useRowsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => {
    heldRows.forget();
    return queries.invalidateQueries();
  }, [queries]);
}

/** The file as it was uploaded. */
export async function documentFile(id: string): Promise<File> {
  const { name, content } = await api.documents.getFile({ id });
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new File([bytes], name);
}

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
