import { start } from '../shell/start.ts';

start({ ja: () => import('./words-ja.ts'), en: () => import('./words-en.ts') }, () => import('./page.tsx'));
