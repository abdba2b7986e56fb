import { dirname } from 'node:path';

/** Folder of the clone. */
export const repositoryRoot = dirname(__dirname);
