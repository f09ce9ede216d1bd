import { writeFileSync } from 'node:fs';
import { catalogueAnswers, registrationAnswers, toText } from './example-answers.ts';

// `npm run examples`: writes the sample's responses to the documented calls.
const write = (service: string, text: string): void => {
  writeFileSync(new URL(`../packages/mokuroku/src/${service}/example-answers.json`, import.meta.url), text);
};

write('catalogue', toText(await catalogueAnswers()));
write('registration', toText(await registrationAnswers()));
