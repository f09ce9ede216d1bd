import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Guarded } from './answer-view.tsx';
import { LANGUAGES, LANGUAGE_NAMES, THEMES, applyTheme, readTheme } from './preferences.ts';
import { usePreference, useShell } from './page-context.ts';
import { addressOfPage, pageFact } from './page-facts.ts';
import { Select } from './form-controls.tsx';
import { ApiButton, SourceLine } from './source-line.tsx';

interface FrameProps {
  brand: { name: string; reading: string };
  /** Between the name and the settings. */
  navigation?: ComponentChildren;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame around every view of both pages. */
export function Frame({ brand, navigation, footer, children }: FrameProps) {
  const { words } = useShell();
  const panel = usePreference('api');
  const [chosen, chooseTheme] = usePreference('theme');
  const theme = readTheme(chosen);
  useLayoutEffect(() => applyTheme(document.documentElement, theme), [theme]);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {words.skip}
      </a>
      <header class="top beside">
        <a class="brand" href="/">
          <svg class="seal" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
            <rect width="32" height="32" rx="5" />
            <path d="M10 6.5h12v19H10zM10 12.8h12M10 19.2h12" />
          </svg>
          <span class="brand-name">{brand.name}</span>
          <span class="brand-reading soft">{brand.reading}</span>
        </a>
        {navigation}
        <ApiButton panel={panel} />
        <LanguageChoice />
      </header>
      <main id="main" tabIndex={-1}>
        <SourceLine showsCalls={panel[0] !== null} />
        <Guarded>{children}</Guarded>
      </main>
      <footer class="bottom soft">
        {footer}
        <p class="bottom-links beside">
          <SettingLinks />
          <a href="/docs">{words.documentation}</a>
          <a href="/openapi.json">{words.openapi}</a>
          <label>
            {words.theme}{' '}
            <Select
              value={theme}
              options={THEMES.map((each) => [each, words.themes[each]])}
              onChoose={chooseTheme}
            />
          </label>
        </p>
      </footer>
    </>
  );
}

/** The page of the other service and the operator of this one, as far as the settings name them. */
function SettingLinks() {
  const { operatedBy, otherPages, operatorLinks } = useShell().words;
  const operator = pageFact('operator-name');
  const links = (labels: Readonly<Record<string, string>>, hrefOf: (address: string) => string) =>
    Object.entries(labels).map(([name, label]) => {
      const address = pageFact(name);
      return address && <a href={hrefOf(address)}>{label}</a>;
    });
  return (
    <>
      {links(otherPages, (address) => addressOfPage(address, location))}
      {operator !== undefined && <span>{operatedBy(operator)}</span>}
      {links(operatorLinks, String)}
    </>
  );
}

function LanguageChoice() {
  const { words, language: present, chooseLanguage } = useShell();
  return (
    <div class="languages" role="group" aria-label={words.language}>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          class="soft"
          lang={language}
          aria-pressed={language === present}
          onClick={() => chooseLanguage(language)}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </div>
  );
}
