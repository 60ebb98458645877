import { TextInput } from '@mantine/core';
import { readDecimal, typedDecimal } from '../../format/typed-decimals.ts';
import { useDraft } from '../../parts/use-draft.ts';
import { TRANSACTIONS } from '../../text/transactions.ts';

interface SizeInputProps {
  readonly label: string;
  readonly value: string;
  /** Called with a decimal, or with nothing where the field was cleared. */
  readonly onChange: (value: string) => void;
}

const MOST_CHARACTERS = 24;

/** An amount to compare with, in the person's own notation. What cannot be read asks for nothing and says so. */
export function SizeInput({ label, value, onChange }: SizeInputProps) {
  const { text, type, leave } = useDraft(value, onChange);
  const isRead = text === null || text.trim() === '' || readDecimal(text) !== null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      maxLength={MOST_CHARACTERS}
      placeholder={typedDecimal('0.00')}
      value={text ?? (value === '' ? '' : typedDecimal(value))}
      error={isRead ? undefined : TRANSACTIONS.noAmount(typedDecimal('1250.50'))}
      onChange={({ currentTarget: { value: typed } }) =>
        type(typed, typed.trim() === '' ? '' : readDecimal(typed))
      }
      onBlur={leave}
    />
  );
}
