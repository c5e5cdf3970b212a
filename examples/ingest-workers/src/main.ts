import { fileURLToPath } from 'node:url';
import { ingestByThree } from './three-workers.js';
import { work } from './worker.js';

const url = process.env['REDIS_URL'] ?? 'redis://localhost:6379';
const [argument = fileURLToPath(new URL('../../../docs', import.meta.url))] = process.argv.slice(2);
if (argument === '--worker') await work(url);
else await ingestByThree(url, argument);
