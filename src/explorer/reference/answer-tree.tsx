import type { ComponentChildren } from 'preact';

/** Deeper values, and objects with more members, are collapsed at first. */
const OPEN_DEPTH = 3;
const OPEN_MEMBERS = 40;

interface NodeProps {
  /** The member's name in its object; members of arrays have none. */
  name?: string | undefined;
  value: unknown;
  depth?: number;
}

/** JSON as a tree whose objects and arrays can be collapsed. */
export function AnswerTree({ name, value, depth = 0 }: NodeProps) {
  const label = name !== undefined && <span class="tree-name">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <>
        {label}
        <Scalar value={value} />
      </>
    );
  }
  const isArray = Array.isArray(value);
  const members = Object.entries(value as Record<string, unknown>);
  const [begin, end] = isArray ? '[]' : '{}';
  if (members.length === 0) {
    return (
      <>
        {label}
        {begin}
        {end}
      </>
    );
  }
  return (
    <details open={depth < OPEN_DEPTH && members.length <= OPEN_MEMBERS}>
      <summary>
        {label}
        {begin}
        <small class="tree-count">
          {isArray ? members.length : '…'}
          {end}
        </small>
      </summary>
      <ul>
        {members.map(([key, each]) => (
          <li key={key}>
            <AnswerTree name={isArray ? undefined : key} value={each} depth={depth + 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Scalar({ value }: { value: unknown }): ComponentChildren {
  return typeof value === 'string' ? (
    <span class="tree-text">{JSON.stringify(value)}</span>
  ) : (
    <span class="tree-value">{String(value)}</span>
  );
}
