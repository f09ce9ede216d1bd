import { start } from '../shell/start.ts';

start({ ja: () => import('./ja.ts'), en: () => import('./en.ts') }, () => import('./page.tsx'));
