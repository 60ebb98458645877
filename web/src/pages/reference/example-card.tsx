import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { Description } from '../../api/description-document.ts';
import { Card } from '../../parts/card.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { REFERENCE } from '../../text/reference.ts';
import type { DescribedOperation } from './described-operation.ts';
import { EXAMPLES, type Language } from './examples.ts';
import classes from './reference.module.css';
import { sampleRequest, type Values } from './sample-request.ts';

interface ExampleCardProps {
  readonly operation: DescribedOperation;
  readonly described: Description;
  readonly values: Values;
}

const LANGUAGES: readonly Language[] = ['curl', 'typescript', 'python'];
const CHOSEN = 'tributary-example-language';

/** A request that runs as it stands, in the language that the person chose last. */
export function ExampleCard({ operation, described, values }: ExampleCardProps) {
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
