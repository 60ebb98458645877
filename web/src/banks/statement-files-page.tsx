import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { accounts } from '../api/accounts.ts';
import { oneDocument } from '../api/documents.ts';
import { accountLabel } from '../format/account-names.ts';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import { CONNECTIONS } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentUploads } from './document-uploads.tsx';
import { DocumentView } from './document-view.tsx';

const route = getRouteApi(APP_PATHS.statementFiles);

/** Statement files: uploading them, the list of them, and the one that the address names. */
export function StatementFilesPage() {
  const { file } = route.useSearch();
  return file === undefined ? <AllFiles /> : <OneFile key={file} id={file} />;
}

function AllFiles() {
  const { account: named } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(accounts);
  const account = data?.find(({ id }) => id === named);
  return (
    <>
      <Back to={APP_PATHS.connections}>{CONNECTIONS.title}</Back>
      <Page title={providerTexts('statement_files').name}>
        <OwnerOnly scope="connections:write" otherwise="sentence">
          <DocumentUploads
            account={account === undefined ? null : { id: account.id, name: accountLabel(account) }}
            onUploaded={({ id }) => navigate({ search: { file: id } })}
          />
        </OwnerOnly>
        <DocumentList accounts={data ?? []} />
      </Page>
    </>
  );
}

function OneFile({ id }: { readonly id: string }) {
  const navigate = route.useNavigate();
  const shown = useQuery(oneDocument(id));
  const known = useQuery(accounts);
  const { name } = providerTexts('statement_files');
  const error = shown.error ?? known.error;
  return (
    <>
      <Back to={APP_PATHS.statementFiles}>{name}</Back>
      {shown.data !== undefined && known.data !== undefined ? (
        <DocumentView document={shown.data} accounts={known.data} onGone={() => navigate({ search: {} })} />
      ) : (
        <Page title={name}>
          {error === null ? (
            <LoadingRows count={6} />
          ) : (
            <Problem error={error} again={shown.error === null ? known.refetch : shown.refetch} />
          )}
        </Page>
      )}
    </>
  );
}
