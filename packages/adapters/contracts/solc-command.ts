import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The part of the compiler's command line that forge uses: `--version`, and JSON on standard input.
const workspace = createRequire(import.meta.url)

if (process.argv.includes('--version')) {
  const { version } = workspace('solc/package.json')
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}\n`)
} else {
  const fileOf = (path: string) =>
    path.startsWith('@') ? workspace.resolve(path) : join(import.meta.dirname, path)
  const read = (path: string) => ({ contents: readFileSync(fileOf(path), 'utf8') })
  process.stdout.write(workspace('solc').compile(readFileSync(0, 'utf8'), { import: read }))
}
