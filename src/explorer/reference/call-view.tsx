import { useState } from 'preact/hooks';
import { CopyButton } from '../shell/copy-button.tsx';
import { AnswerTree } from './answer-tree.tsx';
import { CallForm } from './call-form.tsx';
import type { ReferenceCall, ReferenceEndpoint, Request } from './openapi.ts';
import { SAMPLE_LANGUAGES, SAMPLE_NAMES, sampleOf } from './samples.ts';
import type { SampleLanguage } from './samples.ts';
import { useReference } from './words.ts';

export type SampleChoice = ReturnType<typeof useSamples>;

/** The language of all printed calls, remembered in this browser. */
export function useSamples() {
  const { preferences } = useReference();
  const [language, setLanguage] = useState(
    () => SAMPLE_LANGUAGES.find((each) => each === preferences.read('samples')) ?? 'curl',
  );
  const choose = (chosen: SampleLanguage) => {
    preferences.write('samples', chosen);
    setLanguage(chosen);
  };
  return { language, choose };
}

/** A working call: its source code, its response, and a form to change and run it. */
export function CallView(props: { endpoint: ReferenceEndpoint; call: ReferenceCall; samples: SampleChoice }) {
  const { endpoint, call, samples } = props;
  const [request, setRequest] = useState<Request>(call);
  const { title } = call;
  return (
    <div class="call-view sheet">
      <h4 id={call.name}>{title}</h4>
      <Sample endpoint={endpoint} request={request} samples={samples} />
      <CallForm endpoint={endpoint} request={request} change={setRequest}>
        {(live) => <CallAnswer shown={live ?? call.answer} isLive={live !== undefined} title={title} />}
      </CallForm>
    </div>
  );
}

function Sample(props: { endpoint: ReferenceEndpoint; request: Request; samples: SampleChoice }) {
  const { endpoint, request, samples } = props;
  const { words } = useReference();
  const code = sampleOf(samples.language, location.origin, endpoint, request);
  return (
    <div class="sample">
      <div class="sample-head beside tight" role="group" aria-label={words.samplesIn}>
        {SAMPLE_LANGUAGES.map((language) => (
          <button
            key={language}
            type="button"
            class="quiet small"
            aria-pressed={language === samples.language}
            onClick={() => samples.choose(language)}
          >
            {SAMPLE_NAMES[language]}
          </button>
        ))}
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

/** The printed response, or the latest live one; JSON is shown as a tree. */
function CallAnswer({ shown, isLive, title }: { shown: unknown; isLive: boolean; title: string }) {
  const { words } = useReference();
  const heading = isLive ? words.liveAnswer : words.exampleAnswer;
  return (
    <div class="answer">
      <p class="fine">
        {heading}
        {!isLive && <small> {words.cut}</small>}
      </p>
      {typeof shown === 'string' ? (
        <pre tabIndex={0} role="region" aria-label={`${heading}: ${title}`}>
          <code>{shown}</code>
        </pre>
      ) : (
        <div class="tree" tabIndex={0} role="region" aria-label={`${heading}: ${title}`}>
          <AnswerTree value={shown} />
        </div>
      )}
    </div>
  );
}
