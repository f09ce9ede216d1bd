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
  const isArray = Array.isArray(value);
  const members = typeof value === 'object' ? Object.entries(value ?? {}) : [];
  if (members.length === 0) {
    return (
      <>
        {label}
        <span class={typeof value === 'string' ? undefined : 'tree-value'}>{JSON.stringify(value)}</span>
      </>
    );
  }
  return (
    <details open={depth < OPEN_DEPTH && members.length <= OPEN_MEMBERS}>
      <summary>
        {label}
        {isArray ? '[' : '{'}
        <small class="tree-count">{isArray ? `${members.length}]` : '…}'}</small>
      </summary>
      <ul>
        {members.map(([key, each]) => (
          <li key={key}>
            <AnswerTree name={isArray ? undefined : key} value={each as unknown} depth={depth + 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}
