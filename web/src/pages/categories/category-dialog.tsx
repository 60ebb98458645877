import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Category } from '#client';
import { DEFAULT_LOOK } from '../../../../src/vocabulary/category-template.ts';
import { categories } from '../../api/categories.ts';
import { api } from '../../api/client.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import { Problem } from '../../parts/problem.tsx';
import { CATEGORIES, CATEGORY_FORM } from '../../text/categories.ts';
import { PROBLEMS } from '../../text/problems.ts';
import { LookFields } from './look-fields.tsx';

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
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {category === null ? CATEGORY_FORM.create : PROBLEMS.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
