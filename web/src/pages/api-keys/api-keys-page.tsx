import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiKeys } from '../../api/api-keys.ts';
import { me } from '../../api/me.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import rows from '../../parts/rows.module.css';
import { PATHS } from '../../routing/paths.ts';
import { API_KEYS } from '../../text/api-keys.ts';
import classes from '../developer/developer.module.css';
import { DeveloperPage } from '../developer/developer-page.tsx';
import { Refusal } from '../developer/refusal.tsx';
import { ApiKeyRow } from './api-key-row.tsx';
import { useApiKeyActions } from './use-api-key-actions.tsx';

const EXPECTED = 3;

export function ApiKeysPage() {
  const { error } = useInfiniteQuery(apiKeys);
  return (
    <DeveloperPage title={API_KEYS.title} actions={error === null ? <CreateButton /> : undefined}>
      <p className={classes.intro}>{API_KEYS.intro}</p>
      <KeyList />
    </DeveloperPage>
  );
}

function KeyList() {
  const list = useInfiniteQuery(apiKeys);
  const record = useQuery(me);
  const actions = useApiKeyActions();
  const error = list.error ?? record.error;
  if (list.data === undefined || record.data === undefined) {
    if (error !== null) {
      return <Refusal error={error} again={() => Promise.all([list.refetch(), record.refetch()])} />;
    }
    return (
      <Card title={API_KEYS.all}>
        <LoadingRows count={EXPECTED} />
      </Card>
    );
  }
  const keys = list.data.pages.flatMap(({ data }) => data);
  const { timezone } = record.data;
  return (
    <>
      {actions.outcome}
      {keys.length === 0 ? (
        <Empty title={API_KEYS.none} text={API_KEYS.noneText} action={<CreateButton />} />
      ) : (
        <Card title={API_KEYS.all}>
          <ul className={rows.rows}>
            {keys.map((key) => (
              <ApiKeyRow key={key.id} apiKey={key} zone={timezone} actions={actions} />
            ))}
          </ul>
          <MoreButton list={list} />
        </Card>
      )}
      {actions.dialog}
    </>
  );
}

function CreateButton() {
  return (
    <LinkButton to={PATHS.newApiKey} leftSection={<Icon name="plus" />}>
      {API_KEYS.create}
    </LinkButton>
  );
}
