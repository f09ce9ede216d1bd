import { mountPage } from '../shell/mount.tsx';
import { CataloguePage } from './catalogue-page.tsx';

mountPage(CataloguePage, 'envelope');
