import { TextInput } from '@mantine/core';

interface SizeInputProps {
  readonly label: string;
  readonly value: string;
  /** Called with a decimal, or with nothing where the field holds none. */
  readonly onChange: (value: string) => void;
}

const DECIMAL = /^\d{1,12}(?:\.\d{1,4})?$/;
const MOST_CHARACTERS = 17;

/** An amount to compare with. What is no amount yet counts as none; people may write thousands with commas. */
export function SizeInput({ label, value, onChange }: SizeInputProps) {
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      maxLength={MOST_CHARACTERS}
      placeholder="0.00"
      defaultValue={value}
      onChange={({ currentTarget }) => {
        const plain = currentTarget.value.replaceAll(/[\s,$]/g, '');
        onChange(DECIMAL.test(plain) ? plain : '');
      }}
    />
  );
}
