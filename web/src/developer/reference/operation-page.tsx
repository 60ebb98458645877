import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type DeclaredError,
  type DescribedOperation,
  everyOperation,
} from '../../../../src/vocabulary/description/described-operation.ts';
import type { Description } from '../../../../src/vocabulary/description/description-document.ts';
import { EXAMPLES, type Language } from '../../../../src/vocabulary/description/examples.ts';
import { fieldsOf, nameOf } from '../../../../src/vocabulary/description/fields.ts';
import {
  sampleRequest,
  sampleValues,
  type Values,
} from '../../../../src/vocabulary/description/sample-request.ts';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { appUrl } from '../../api/app-url.ts';
import { description } from '../../api/description.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { Empty, LoadingRows, Problem } from '../../parts/page-states.tsx';
import { REFERENCE } from '../../text/reference.ts';
import developer from '../developer.module.css';
import { CodeWords } from '../developer-page.tsx';
import { FieldList } from './field-list.tsx';
import { MethodBadge } from './method-badge.tsx';
import { ParametersCard } from './parameters-card.tsx';
import classes from './reference.module.css';
import { JsonText, TryCard } from './try-card.tsx';

interface ExampleCardProps {
  readonly operation: DescribedOperation;
  readonly described: Description;
  readonly values: Values;
}

const LANGUAGES: readonly Language[] = ['curl', 'typescript', 'python'];
const CHOSEN = 'tributary-example-language';

/** A request that runs as it is, in the language that the person chose last. */
function ExampleCard({ operation, described, values }: ExampleCardProps) {
  const [chosen, setChosen] = useLocalStorage<string>({
    key: CHOSEN,
    defaultValue: 'curl',
    getInitialValueInEffect: false,
  });
  const language = LANGUAGES.find((one) => one === chosen) ?? 'curl';
  const { name, write } = EXAMPLES[language];
  return (
    <Card title={REFERENCE.example} aside={REFERENCE.exampleAside}>
      <div className={classes.inside}>
        <fieldset className={classes.languages} aria-label={REFERENCE.language}>
          {LANGUAGES.map((one) => (
            <Button
              key={one}
              size="xs"
              variant={one === language ? 'light' : 'default'}
              aria-pressed={one === language}
              onClick={() => setChosen(one)}
            >
              {EXAMPLES[one].name}
            </Button>
          ))}
        </fieldset>
        <CopyText
          label={REFERENCE.exampleOf(name)}
          text={write(sampleRequest(operation, described, values))}
        />
      </div>
    </Card>
  );
}

const route = getRouteApi(APP_PATHS.operation);

export function OperationPage() {
  const { operation: id } = route.useParams();
  const { data, error, refetch } = useQuery(description);
  const operation = data === undefined ? undefined : everyOperation(data).find((one) => one.id === id);
  return (
    <>
      <Back to={APP_PATHS.reference}>{REFERENCE.title}</Back>
      {data !== undefined && operation !== undefined ? (
        <Details key={id} operation={operation} described={data} />
      ) : (
        <Page title={REFERENCE.title}>
          {data !== undefined ? (
            <Empty title={REFERENCE.missing} text={REFERENCE.missingText} />
          ) : error === null ? (
            <LoadingRows count={6} />
          ) : (
            <Problem error={error} again={refetch} />
          )}
        </Page>
      )}
    </>
  );
}

interface DetailsProps {
  readonly operation: DescribedOperation;
  readonly described: Description;
}

function Details({ operation, described }: DetailsProps) {
  const [values, setValues] = useState(() => sampleValues(operation, described));
  const { facts } = REFERENCE;
  const tiers: Readonly<Record<string, string>> = REFERENCE.tiers;
  const { schemas } = described.components;
  return (
    <Page title={operation.summary}>
      <p className={classes.address}>
        <MethodBadge method={operation.method} />
        {operation.path}
      </p>
      {operation.text === '' ? null : (
        <p className={classes.rules}>
          <CodeWords text={operation.text} />
        </p>
      )}
      <Card title={facts.name} aside={<code>{operation.id}</code>}>
        <Facts
          facts={[
            [facts.scope, operation.scopes.length === 0 ? REFERENCE.anyKey : operation.scopes.join(' and ')],
            [facts.tier, tiers[operation.tier] ?? operation.tier],
            [facts.also, operation.alsoByPatch ? facts.byPatch : null],
          ]}
        />
      </Card>
      <ParametersCard operation={operation} values={values} onChange={setValues} />
      {operation.body === null ? null : (
        <Card title={REFERENCE.body} aside={operation.bodyRequired ? undefined : REFERENCE.optional}>
          <div className={classes.inside}>
            <FieldList fields={fieldsOf(operation.body.schema, schemas)} required />
          </div>
        </Card>
      )}
      <ExampleCard operation={operation} described={described} values={values} />
      <TryCard operation={operation} values={values} />
      <AnswerCard operation={operation} schemas={schemas} />
      <ErrorsCard errors={operation.errors} />
    </Page>
  );
}

/** The errors of a request, each with the page that says what to do. */
function ErrorsCard({ errors }: { readonly errors: readonly DeclaredError[] }) {
  return (
    <Card title={REFERENCE.errors} aside={REFERENCE.errorsAside}>
      <ul>
        {errors.map(({ status, code, summary }) => (
          <li key={`${status} ${code}`} className={classes.error}>
            <span className={classes.status}>{status}</span>
            <a className={developer.code} href={appUrl(`docs/errors#${code}`).href}>
              {code}
            </a>
            <span className={developer.meaning}>{summary}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface AnswerCardProps {
  readonly operation: DescribedOperation;
  readonly schemas: Description['components']['schemas'];
}

/** The response to a successful request. */
function AnswerCard({ operation, schemas }: AnswerCardProps) {
  const { answers, answerStatus } = operation;
  const json = answers['application/json'];
  if (json === undefined) {
    return (
      <Card title={REFERENCE.answer} aside={answerStatus}>
        <p className={classes.about}>{`${REFERENCE.file}${Object.keys(answers).join(', ')}`}</p>
      </Card>
    );
  }
  const { name, list } = nameOf(json.schema, schemas);
  return (
    <Card
      title={REFERENCE.answer}
      aside={REFERENCE.answerOf(answerStatus, list ? REFERENCE.listOf(name) : name)}
    >
      <div className={classes.inside}>
        <FieldList fields={fieldsOf(json.schema, schemas)} />
        {json.example === undefined ? null : (
          <details className={classes.members}>
            <summary>{REFERENCE.exampleAnswer}</summary>
            <JsonText label={REFERENCE.exampleAnswer} text={JSON.stringify(json.example, null, 2)} />
          </details>
        )}
      </div>
    </Card>
  );
}
