import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { PATHS } from '../../routing/paths.ts';
import { CONNECTIONS, NEW_CONNECTION } from '../../text/connections.ts';
import classes from './connections.module.css';
import { InstitutionList } from './institution-list.tsx';

const TYPING_MS = 200;
const MOST_CHARACTERS = 200;

export function NewConnectionPage() {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), TYPING_MS);
  return (
    <>
      <Back to={PATHS.connections}>{CONNECTIONS.title}</Back>
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
