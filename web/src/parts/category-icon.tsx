import classes from './category-icon.module.css';

interface CategoryIconProps {
  readonly icon: string;
  readonly color: string;
}

/** The picture of a category on its colour. Its name is beside it. */
export function CategoryIcon({ icon, color }: CategoryIconProps) {
  return (
    <span className={classes.icon} style={{ borderColor: color }} aria-hidden="true">
      {icon}
    </span>
  );
}
