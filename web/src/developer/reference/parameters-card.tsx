import { NativeSelect, TextInput } from '@mantine/core';
import type { DescribedOperation } from '../../../../src/vocabulary/description/described-operation.ts';
import type { Parameter } from '../../../../src/vocabulary/description/description-document.ts';
import type { Values } from '../../../../src/vocabulary/description/sample-request.ts';
import { Card } from '../../parts/card.tsx';
import { REFERENCE } from '../../text/reference.ts';
import developer from '../developer.module.css';
import { FieldList } from './field-list.tsx';
import classes from './reference.module.css';

interface ParametersCardProps {
  readonly operation: DescribedOperation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

/** The parameters of the address, with values to try, and the headers. */
export function ParametersCard({ operation, values, onChange }: ParametersCardProps) {
  const entered = operation.parameters.filter(({ in: place }) => place !== 'header');
  const headers = operation.parameters.filter(({ in: place }) => place === 'header');
  return (
    <Card title={REFERENCE.parameters} aside={entered.length === 0 ? undefined : REFERENCE.parametersAside}>
      {entered.length === 0 ? (
        <p className={developer.none}>{REFERENCE.noParameters}</p>
      ) : (
        <div className={`${classes.inside} ${classes.inputs}`}>
          {entered.map((parameter) => (
            <ParameterInput
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => onChange({ ...values, [parameter.name]: value })}
            />
          ))}
        </div>
      )}
      <div className={classes.inside}>
        <FieldList
          required
          fields={headers.map(({ name, required, description = '' }) => ({
            name,
            type: REFERENCE.header,
            required,
            text: description,
            values: [],
            fields: [],
          }))}
        />
      </div>
    </Card>
  );
}

interface ParameterInputProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ParameterInput({ parameter, value, onChange }: ParameterInputProps) {
  const { name, required, schema, description = '' } = parameter;
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String);
  const shared = {
    label: required ? `${name} (${REFERENCE.required.toLowerCase()})` : name,
    description: [
      description,
      ...(schema.items?.enum === undefined ? [] : [`${REFERENCE.oneOf}: ${schema.items.enum.join(', ')}.`]),
      ...(schema.type === 'array' ? [REFERENCE.commas] : []),
    ].join(' '),
    value,
  };
  return choices === undefined ? (
    <TextInput
      {...shared}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <NativeSelect
      {...shared}
      data={[{ value: '', label: REFERENCE.notSent }, ...choices]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
