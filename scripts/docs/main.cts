/** `npm run docs`: writes the pages that are made from the code. */
import { writeFileSync } from 'node:fs';
import { generatedPages } from './generatedPages.cts';

for (const { file, text } of generatedPages()) writeFileSync(file, text);
