import { useState } from 'preact/hooks';
import { CopyButton } from '../shell/copy-button.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { CallForm } from './call-form.tsx';
import type { ReferenceCall, ReferenceEndpoint, Request } from './openapi.ts';
import { LANGUAGES, SAMPLES } from './samples.ts';
import type { SampleLanguage } from './samples.ts';
import { useReference } from './words.ts';

/** The language of all printed calls. */
export interface SampleChoice {
  language: SampleLanguage;
  choose: (language: string) => void;
}

/** A working call: its source code, its response, and a form to change and run it. */
export function CallView(props: { endpoint: ReferenceEndpoint; call: ReferenceCall; samples: SampleChoice }) {
  const { endpoint, call, samples } = props;
  const [request, setRequest] = useState<Request>(call);
  const { words } = useReference();
  const { title } = call;
  return (
    <div class="call-view sheet">
      <h4 id={call.name}>{title}</h4>
      <Sample endpoint={endpoint} request={request} samples={samples} />
      <CallForm endpoint={endpoint} request={request} change={setRequest}>
        {(live) =>
          live === undefined ? (
            <Responses endpoint={endpoint} call={call} />
          ) : (
            <div class="answer">
              <p class="fine">{words.liveAnswer}</p>
              <Body shown={live} label={`${words.liveAnswer}: ${title}`} />
            </div>
          )
        }
      </CallForm>
    </div>
  );
}

function Sample(props: { endpoint: ReferenceEndpoint; request: Request; samples: SampleChoice }) {
  const { endpoint, request, samples } = props;
  const { words } = useReference();
  const code = SAMPLES[samples.language](location.origin, endpoint, request);
  return (
    <div class="sample">
      <div class="sample-head beside tight">
        <Tabs label={words.samplesIn} tabs={LANGUAGES} present={samples.language} choose={samples.choose} />
        {code !== null && <CopyButton text={code} label={words.copy} />}
      </div>
      {code === null ? (
        <p class="fine sample-none">{words.noCommand}</p>
      ) : (
        <pre tabIndex={0} lang="en">
          <code>{code}</code>
        </pre>
      )}
    </div>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly string[];
  present: string;
  choose: (tab: string) => void;
}

function Tabs({ label, tabs, present, choose }: TabsProps) {
  return (
    <div class="tabs beside tight" role="group" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          class="quiet small"
          aria-pressed={tab === present}
          onClick={() => choose(tab)}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}

/** The printed response, and the errors of each status. */
function Responses({ endpoint, call }: { endpoint: ReferenceEndpoint; call: ReferenceCall }) {
  const { words } = useReference();
  const [present, choose] = useState('200');
  const statuses = ['200', ...new Set(endpoint.errors.map(({ status }) => status))];
  const label = `${words.exampleAnswer}: ${call.title}`;
  return (
    <div class="answer">
      <Tabs label={label} tabs={statuses} present={present} choose={choose} />
      {present === '200' && (
        <>
          <small class="fine">{words.cut}</small>
          <Body shown={call.answer} label={label} />
        </>
      )}
      {endpoint.errors
        .filter(({ status }) => status === present)
        .map(({ code, example }) => (
          <div key={code}>
            <a class="target" href={`#error-${code}`}>
              <code>{code}</code>
            </a>
            <Body shown={example} label={`${label}: ${code}`} />
          </div>
        ))}
    </div>
  );
}

/** More text at once would stop the page for seconds. */
const MAX_TEXT = 100_000;

/** JSON as a tree, everything else as text. */
function Body({ shown, label }: { shown: unknown; label: string }) {
  return typeof shown === 'string' ? (
    <pre tabIndex={0} role="region" aria-label={label}>
      <ForeignText text={shown} maxLength={MAX_TEXT} isCode />
    </pre>
  ) : (
    <div class="tree" tabIndex={0} role="region" aria-label={label}>
      <AnswerTree value={shown} />
    </div>
  );
}

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
function AnswerTree({ name, value, depth = 0 }: NodeProps) {
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
