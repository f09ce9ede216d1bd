import { mountPage } from '../shell/mount.tsx';
import { CataloguePage } from './catalogue-page.tsx';
import { firstCallOf } from './calls.ts';
import { readView } from './view-url.ts';

mountPage({ page: CataloguePage, form: 'envelope', firstCall: (search) => firstCallOf(readView(search)) });
