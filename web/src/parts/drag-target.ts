/** What the pointer is over, from the element's `data-order-kind` and `data-order-id`. */
export interface DragTarget {
  readonly kind: string;
  readonly id: string;
  readonly half: 'upper' | 'lower';
}
