import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import {
  type DescribedOperation,
  groupsOf,
  isAbout,
} from '../../../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../../../src/vocabulary/description/description-document.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../../api/app-url.ts';
import { description } from '../../api/description.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { REFERENCE } from '../../text/reference.ts';
import developer from '../developer.module.css';
import { DeveloperPage } from '../developer-page.tsx';
import { MethodBadge } from './method-badge.tsx';
import classes from './reference.module.css';

const EXPECTED = 10;

/** Every operation of v2, by what it is about. */
export function ReferencePage() {
  const { data, error, refetch } = useQuery(description);
  return (
    <DeveloperPage
      title={REFERENCE.title}
      actions={
        <span className={classes.links}>
          <a href={appUrl('docs/guides').href}>{REFERENCE.guides}</a>
          <a href={appUrl('v2/openapi.json').href}>{REFERENCE.description}</a>
        </span>
      }
    >
      {data !== undefined ? (
        <Operations described={data} />
      ) : error === null ? (
        <Card title={REFERENCE.title}>
          <LoadingRows count={EXPECTED} />
        </Card>
      ) : (
        <Problem error={error} again={refetch} />
      )}
    </DeveloperPage>
  );
}

function Operations({ described }: { readonly described: Description }) {
  const [text, setText] = useState('');
  const searched = useDeferredValue(text.trim());
  const groups = groupsOf(described)
    .map((group) => ({ ...group, operations: group.operations.filter((one) => isAbout(one, searched)) }))
    .filter(({ operations }) => operations.length > 0);
  return (
    <>
      <p className={developer.intro}>{REFERENCE.intro(described.servers[0]?.url ?? '')}</p>
      <TextInput
        className={classes.search ?? ''}
        type="search"
        label={REFERENCE.search}
        description={REFERENCE.searchHint}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p className={classes.count} role="status">
        {REFERENCE.found(groups.flatMap(({ operations }) => operations).length)}
      </p>
      {groups.length === 0 ? (
        <Empty title={REFERENCE.none} text={REFERENCE.noneText(searched)} />
      ) : (
        groups.map(({ tag, text: about, operations }) => (
          <Card key={tag} title={REFERENCE.group(tag)}>
            <p className={classes.about}>{about}</p>
            <ul>
              {operations.map((operation) => (
                <li key={operation.id}>
                  <OperationLink operation={operation} />
                </li>
              ))}
            </ul>
          </Card>
        ))
      )}
    </>
  );
}

function OperationLink({ operation }: { readonly operation: DescribedOperation }) {
  const { id, method, path, summary, scopes } = operation;
  return (
    <Link to={APP_PATHS.operation} params={{ operation: id }} className={classes.operation}>
      <MethodBadge method={method} />
      <span>
        <span className={classes.summary}>{summary}</span>
        <span className={classes.path}>{path}</span>
      </span>
      <span className={classes.scope}>{scopes.length === 0 ? REFERENCE.anyKey : scopes.join(' + ')}</span>
    </Link>
  );
}
