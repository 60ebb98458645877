import { TextInput, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import { Fields } from '../../parts/fields.tsx';
import { CATEGORY_FORM } from '../../text/categories.ts';
import classes from './categories.module.css';

export interface Look {
  readonly icon: string;
  readonly color: string;
}

interface LookFieldsProps {
  readonly look: Look;
  readonly onChange: (look: Look) => void;
}

const ICON_CHARACTERS = 50;
const ICONS = '📁 🏷 💰 🏠 🛒 🍜 ☕ 🚆 ⛽ 🩺 🎟 ✈ 🎓 🐾 🎁 👕 📱 💳 🏦 📈 🐖 🧾 🔧 👶'.split(' ');
const COLORS = Object.entries(CATEGORY_FORM.colors);

/** How a category looks: its icon and its colour. */
export function LookFields({ look, onChange }: LookFieldsProps) {
  const name = useId();
  return (
    <>
      <TextInput
        label={CATEGORY_FORM.icon}
        description={CATEGORY_FORM.iconHint}
        value={look.icon}
        maxLength={ICON_CHARACTERS}
        required
        onChange={({ currentTarget }) => onChange({ ...look, icon: currentTarget.value })}
      />
      <Fields legend={CATEGORY_FORM.icons}>
        <div className={classes.icons}>
          {ICONS.map((icon) => (
            <UnstyledButton
              key={icon}
              className={classes.icon ?? ''}
              aria-pressed={look.icon === icon}
              onClick={() => onChange({ ...look, icon })}
            >
              {icon}
            </UnstyledButton>
          ))}
        </div>
      </Fields>
      <Fields legend={CATEGORY_FORM.color}>
        <div className={classes.swatches}>
          {COLORS.map(([color, label]) => (
            <span key={color} className={classes.swatch} style={{ color }}>
              <input
                type="radio"
                name={name}
                aria-label={label}
                checked={look.color === color}
                onChange={() => onChange({ ...look, color })}
              />
            </span>
          ))}
        </div>
        <label className={classes.custom}>
          <input
            type="color"
            value={look.color}
            onChange={({ currentTarget }) => onChange({ ...look, color: currentTarget.value })}
          />
          {CATEGORY_FORM.otherColor}
        </label>
      </Fields>
    </>
  );
}
