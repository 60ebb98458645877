/** What the pointer is over, as the element says of itself in `data-order-kind` and `data-order-id`. */
export interface DragTarget {
  readonly kind: string;
  readonly id: string;
  readonly half: 'upper' | 'lower';
}
