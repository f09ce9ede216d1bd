import { mountPage } from '../shell/mount.tsx';
import { DomainPage } from './domain-page.tsx';
import { lookUpCall, readQuestion } from './domain-url.ts';

mountPage({
  page: DomainPage,
  form: 'bare',
  firstCall: (search) => {
    const question = readQuestion(search);
    return question.domain === '' ? null : lookUpCall(question);
  },
});
