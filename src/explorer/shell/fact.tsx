import type { ComponentChildren } from 'preact';

/** What is empty is not stated. */
export type Stated = readonly [name: string, value: ComponentChildren];

interface FactProps {
  name: ComponentChildren;
  look?: string | undefined;
  /** For links to it. */
  id?: string;
  children: ComponentChildren;
}

/** A description list of what is stated. */
export function FactList({ facts, look }: { facts: readonly Stated[]; look: string }) {
  return (
    <dl class={look}>
      {facts.map(
        ([name, value]) =>
          value && (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ),
      )}
    </dl>
  );
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
