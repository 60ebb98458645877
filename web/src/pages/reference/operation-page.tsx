import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Description } from '../../api/description-document.ts';
import { Back } from '../../parts/back.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadingRows } from '../../parts/loading-rows.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { PATHS } from '../../routing/paths.ts';
import { REFERENCE } from '../../text/reference.ts';
import { CodeWords } from '../developer/code-words.tsx';
import { AnswerCard } from './answer-card.tsx';
import { type DescribedOperation, everyOperation } from './described-operation.ts';
import { description } from './description.ts';
import { ErrorsCard } from './errors-card.tsx';
import { ExampleCard } from './example-card.tsx';
import { FieldList } from './field-list.tsx';
import { fieldsOf } from './fields.ts';
import { MethodBadge } from './method-badge.tsx';
import { ParametersCard } from './parameters-card.tsx';
import classes from './reference.module.css';
import { sampleValues } from './sample-request.ts';
import { TryCard } from './try-card.tsx';

const route = getRouteApi(PATHS.operation);

export function OperationPage() {
  const { operation: id } = route.useParams();
  const { data, error, refetch } = useQuery(description);
  const operation = data === undefined ? undefined : everyOperation(data).find((one) => one.id === id);
  return (
    <>
      <Back to={PATHS.reference}>{REFERENCE.title}</Back>
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
