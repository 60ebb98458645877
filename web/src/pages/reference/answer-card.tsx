import type { Description } from '../../api/description-document.ts';
import { Card } from '../../parts/card.tsx';
import { REFERENCE } from '../../text/reference.ts';
import type { DescribedOperation } from './described-operation.ts';
import { FieldList } from './field-list.tsx';
import { fieldsOf, nameOf } from './fields.ts';
import { JsonText } from './json-text.tsx';
import classes from './reference.module.css';

interface AnswerCardProps {
  readonly operation: DescribedOperation;
  readonly schemas: Description['components']['schemas'];
}

/** What a request is answered with where all goes well. */
export function AnswerCard({ operation, schemas }: AnswerCardProps) {
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
