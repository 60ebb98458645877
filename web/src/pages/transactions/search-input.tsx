import { TextInput } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { useDraft } from '../../parts/use-draft.ts';

interface SearchInputProps {
  readonly className: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const MOST_CHARACTERS = 200;

/** Words to look for. The field follows the address where that changes from outside. */
export function SearchInput({ className, label, value, onChange }: SearchInputProps) {
  const { text, type, leave } = useDraft(value, onChange);
  return (
    <TextInput
      className={className}
      type="search"
      label={label}
      leftSection={<Icon name="search" size={16} />}
      maxLength={MOST_CHARACTERS}
      value={text ?? value}
      onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.value)}
      onBlur={leave}
    />
  );
}
