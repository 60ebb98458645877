import { TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Institution } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { PROVIDERS } from '../../../src/vocabulary/provider-kinds.ts';
import { appUrl } from '../api/app-url.ts';
import { createLinkSession, institutions } from '../api/connections.ts';
import { MoreButton } from '../parts/buttons.tsx';
import { Icon, Monogram } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { CONNECTIONS, NEW_CONNECTION } from '../text/connections.ts';
import classes from './connections.module.css';

const TYPING_MS = 200;
const MOST_CHARACTERS = 200;

export function NewConnectionPage() {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS);
  return (
    <>
      <Back to={APP_PATHS.connections}>{CONNECTIONS.title}</Back>
      <Page title={NEW_CONNECTION.title}>
        <OwnerOnly scope="connections:write" otherwise="page">
          <p className={classes.intro}>{NEW_CONNECTION.intro}</p>
          <TextInput
            className={classes.search ?? ''}
            classNames={{ label: classes.searchLabel ?? '' }}
            type="search"
            label={NEW_CONNECTION.search}
            leftSection={<Icon name="search" size={16} />}
            maxLength={MOST_CHARACTERS}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <InstitutionList text={settled} />
        </OwnerOnly>
      </Page>
    </>
  );
}

const EXPECTED = 6;

/** The institutions whose name contains the text. Choosing one opens the page that says what will be shared. */
function InstitutionList({ text }: { readonly text: string }) {
  const found = useInfiniteQuery({ ...institutions(text), placeholderData: keepPreviousData });
  const link = useMutation({
    mutationFn: (institution: Institution) => createLinkSession(institution, appUrl('connections').href),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (found.data === undefined) {
    return found.error === null ? (
      <div className={classes.card}>
        <LoadingRows count={EXPECTED} />
      </div>
    ) : (
      <Problem error={found.error} again={found.refetch} />
    );
  }
  const all = found.data.pages.flatMap(({ data }) => data);
  return (
    <>
      <VisuallyHidden role="status">{NEW_CONNECTION.results(all.length)}</VisuallyHidden>
      {link.error === null ? null : (
        <Problem error={link.error} title={NEW_CONNECTION.failed(link.variables.name)} />
      )}
      {all.length === 0 ? (
        <Empty
          title={NEW_CONNECTION.none}
          text={text === '' ? NEW_CONNECTION.nothing : NEW_CONNECTION.noneText(text)}
        />
      ) : (
        <div className={classes.card}>
          <ul className={classes.institutions}>
            {all.map((institution) => (
              <li key={institution.id}>
                <InstitutionRow
                  institution={institution}
                  busy={link.isPending || link.isSuccess}
                  onChoose={() => link.mutate(institution)}
                />
              </li>
            ))}
          </ul>
          <MoreButton list={found} />
        </div>
      )}
    </>
  );
}

interface InstitutionRowProps {
  readonly institution: Institution;
  readonly busy: boolean;
  readonly onChoose: () => void;
}

function InstitutionRow({ institution, busy, onChoose }: InstitutionRowProps) {
  const { name, provider, available, status } = institution;
  return (
    <UnstyledButton className={classes.institution ?? ''} disabled={!available || busy} onClick={onChoose}>
      <Monogram name={name} />
      <span className={classes.words}>
        <span className={classes.name}>
          {name}
          {available ? null : <StatusBadge tone="idle">{NEW_CONNECTION.closed}</StatusBadge>}
          {status === 'OUTAGE' ? <StatusBadge tone="warn">{NEW_CONNECTION.outage}</StatusBadge> : null}
        </span>
        <span className={classes.detail}>{PROVIDERS[provider].texts.name}</span>
      </span>
      {available ? <Icon name="chevron" size={16} /> : null}
    </UnstyledButton>
  );
}
