import { mountPage } from '../shell/mount.tsx';
import { DomainPage } from './domain-page.tsx';

mountPage(DomainPage, 'bare');
