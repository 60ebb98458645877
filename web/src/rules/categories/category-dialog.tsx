import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Category } from '#client';
import { DEFAULT_LOOK } from '../../../../src/vocabulary/category-template.ts';
import { categories } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { CancelButton, Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Fields } from '../../parts/fields.tsx';
import form from '../../parts/form.module.css';
import { Problem } from '../../parts/page-states.tsx';
import { CATEGORIES, CATEGORY_FORM } from '../../text/categories.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from './categories.module.css';

interface Look {
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
function LookFields({ look, onChange }: LookFieldsProps) {
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

interface CategoryDialogProps {
  /** What is edited; null creates. */
  readonly category: Category | null;
  /** The group of what is created; null creates a group. */
  readonly group: Category | null;
  readonly onClose: () => void;
}

const NAME_CHARACTERS = 200;

/** Creates or edits a category or a group. */
export function CategoryDialog({ category, group, onClose }: CategoryDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(category?.name ?? '');
  const [look, setLook] = useState({
    icon: category?.icon ?? (group === null ? DEFAULT_LOOK.groupIcon : DEFAULT_LOOK.categoryIcon),
    color: category?.color ?? group?.color ?? DEFAULT_LOOK.color,
  });
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), ...look };
      if (category !== null) return api.categories.update({ id: category.id, ...body });
      return api.categories.create(group === null ? body : { ...body, parent: group.id });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: categories.queryKey });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const title =
    category !== null
      ? CATEGORY_FORM.editCategory(category.name)
      : group === null
        ? CATEGORY_FORM.newGroup
        : CATEGORY_FORM.newCategory(group.name);
  const failed = category === null ? CATEGORIES.failed.create(name) : CATEGORIES.failed.change(category.name);
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={form.form} onSubmit={submit}>
        {save.error === null ? null : <Problem error={save.error} title={failed} />}
        <TextInput
          label={CATEGORY_FORM.name}
          value={name}
          maxLength={NAME_CHARACTERS}
          pattern=".*\S.*"
          required
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <LookFields look={look} onChange={setLook} />
        <DialogActions>
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={save.isPending}>
            {category === null ? CATEGORY_FORM.create : PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
