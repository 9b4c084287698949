import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildLibraries, workspace } from './build-libraries.ts'
import { referencePages } from './reference-pages.ts'

// Regenerates the reference from the docstrings of the published exports.

const folder = join(workspace, 'docs/reference')

await buildLibraries()
const { pages, gaps } = referencePages(workspace)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, text] of pages) writeFileSync(join(folder, name), text)
for (const gap of gaps) process.stderr.write(`${gap} without a docstring.\n`)
if (gaps.length > 0) process.exitCode = 1
