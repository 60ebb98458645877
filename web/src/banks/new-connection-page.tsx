import { TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { Institution } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { createLinkSession, institutions } from '../api/connections.ts';
import { MoreButton } from '../parts/buttons.tsx';
import { Icon, Monogram } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useStillHere } from '../parts/still-here.ts';
import { CONNECTIONS, NEW_CONNECTION } from '../text/connections.ts';
import { providerTexts } from '../text/kinds.ts';
import { STATEMENT_FILES } from '../text/statement-files.ts';
import { type BankCard, bankCards } from './bank-cards.ts';
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
          <p className={classes.intro}>
            {STATEMENT_FILES.unlisted}{' '}
            <Link to={APP_PATHS.statementFiles}>{STATEMENT_FILES.unlistedText}</Link>
          </p>
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
  const stillHere = useStillHere();
  const link = useMutation({
    mutationFn: (institution: Institution) => createLinkSession(institution, 'connections'),
    onMutate: stillHere,
    onSuccess: ({ url }, _, isHere) => {
      if (isHere()) location.assign(url);
    },
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
  const cards = bankCards(found.data.pages.flatMap(({ data }) => data));
  return (
    <>
      <VisuallyHidden role="status">{NEW_CONNECTION.results(cards.length)}</VisuallyHidden>
      {link.error === null ? null : (
        <Problem error={link.error} title={NEW_CONNECTION.failed(link.variables.name)} />
      )}
      {cards.length === 0 ? (
        <Empty
          title={NEW_CONNECTION.none}
          text={text === '' ? NEW_CONNECTION.nothing : NEW_CONNECTION.noneText(text)}
        />
      ) : (
        <div className={classes.card}>
          <ul className={classes.institutions}>
            {cards.map((card) => (
              <li key={card.key}>
                <BankRow card={card} busy={link.isPending || link.isSuccess} onChoose={link.mutate} />
              </li>
            ))}
          </ul>
          <MoreButton list={found} />
        </div>
      )}
    </>
  );
}

/** Through whom; with the bank's name there, if it is another than that of the card. */
function wayText({ name, provider }: Institution, card: string): string {
  const { through } = providerTexts(provider);
  return name === card ? through : NEW_CONNECTION.called(through, name);
}

interface BankRowProps {
  readonly card: BankCard;
  readonly busy: boolean;
  readonly onChoose: (institution: Institution) => void;
}

/** A bank. With several ways to link it, choosing it shows them. */
function BankRow({ card: { name, ways, available, outage }, busy, onChoose }: BankRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const [first, ...others] = ways;
  const several = available && others.length > 0;
  const kinds = [...new Set(ways.map(({ provider }) => providerTexts(provider).name))];
  return (
    <>
      <UnstyledButton
        className={classes.institution ?? ''}
        disabled={!available || busy}
        {...(several && { 'aria-expanded': open, 'aria-controls': id })}
        onClick={() => (several ? setOpen(!open) : onChoose(first))}
      >
        <Monogram name={name} />
        <span className={classes.words}>
          <span className={classes.name}>
            {name}
            {available ? null : <StatusBadge tone="idle">{NEW_CONNECTION.closed}</StatusBadge>}
            {outage ? <StatusBadge tone="warn">{NEW_CONNECTION.outage}</StatusBadge> : null}
          </span>
          <span className={classes.detail}>
            {several ? NEW_CONNECTION.ways(ways.length) : kinds.join(', ')}
          </span>
        </span>
        {available ? (
          <span className={several && open ? classes.opened : undefined}>
            <Icon name="chevron" size={16} />
          </span>
        ) : null}
      </UnstyledButton>
      {several && open ? (
        <ul className={classes.ways} id={id} aria-label={NEW_CONNECTION.choose(name)}>
          {ways.map((way) => (
            <li key={way.id}>
              <UnstyledButton className={classes.way ?? ''} disabled={busy} onClick={() => onChoose(way)}>
                <span>{wayText(way, name)}</span>
                {way.status === 'OUTAGE' && !outage ? (
                  <StatusBadge tone="warn">{NEW_CONNECTION.outage}</StatusBadge>
                ) : null}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
