import { provideWords } from '../../src/text/translated.ts';

const tables = import.meta.glob<Readonly<Record<string, unknown>>>(['./*.ts', '!./index.ts'], {
  eager: true,
});
for (const words of Object.values(tables)) provideWords(words);
