import type { ComponentChildren } from 'preact';

/** Beyond this depth, and this many members, what is in something is unfolded by the reader. */
const OPEN_DEPTH = 3;
const OPEN_MEMBERS = 40;

interface NodeProps {
  /** In the object around it; a member of an array has none. */
  name?: string | undefined;
  value: unknown;
  depth?: number;
}

/** JSON that folds: each object and array is opened and closed by itself. */
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
