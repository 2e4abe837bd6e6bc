// Accepts or rejects all tracked changes of files with Docxodus. One argument: a file of lines, each
// source <tab> target <tab> accept|reject. A file that it refuses is named on standard error.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [library, jobs] = process.argv.slice(2);
const docxodus = await import(pathToFileURL(library));
await docxodus.initialize();
for (const line of (await readFile(jobs, 'utf8')).trim().split('\n')) {
  const [source, target, action] = line.split('\t');
  try {
    const session = docxodus.openDocxSession(new Uint8Array(await readFile(source)));
    const outcome =
      action === 'accept' ? session.acceptAllRevisions() : session.rejectAllRevisions();
    if (outcome && outcome.success === false) throw new Error(JSON.stringify(outcome));
    await writeFile(target, session.save());
    session.close();
  } catch (error) {
    console.error(`${source}: ${String(error).slice(0, 300)}`);
  }
}
process.exit(0);
