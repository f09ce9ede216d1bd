import type { ComponentChildren } from 'preact';

interface FactProps {
  name: ComponentChildren;
  look?: string | undefined;
  /** For links to it. */
  id?: string;
  children: ComponentChildren;
}

/** One pair of a description list. */
export function Fact({ name, look, id, children }: FactProps) {
  return (
    <div class={look} id={id}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
