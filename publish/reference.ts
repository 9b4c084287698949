import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildLibraries, workspace } from './build-libraries.ts'
import { referencePages, writePages } from './reference-pages.ts'

// Writes the reference of what is published from the docstrings, and the list of its names.

await buildLibraries()
const reference = referencePages(workspace)
const { names, gaps } = reference
writePages(join(workspace, 'docs/reference'), reference)
writeFileSync(join(workspace, 'publish/names.txt'), names)
for (const gap of gaps) process.stderr.write(`${gap} without a docstring.\n`)
if (gaps.length > 0) process.exitCode = 1
