import classes from './choices.module.css';

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: T; readonly name: string }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

/** One of a few things to look at. Nothing where there is no choice. */
export function Choices<T extends string>({ label, choices, chosen, onChoose }: ChoicesProps<T>) {
  if (choices.length < 2) return null;
  return (
    <fieldset className={classes.choices} aria-label={label}>
      {choices.map(({ value, name }) => (
        <button
          key={value}
          type="button"
          className={classes.choice}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
