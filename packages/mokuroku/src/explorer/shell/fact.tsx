import type { ComponentChildren } from 'preact';

/** Facts with an empty value are omitted. */
export type Stated = readonly [name: string, value: ComponentChildren];

interface FactProps {
  name: ComponentChildren;
  look?: string | undefined;
  /** Target of links. */
  id?: string;
  children: ComponentChildren;
}

/** A description list of the facts with a value. */
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
