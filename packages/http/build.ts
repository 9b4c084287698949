import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { buildPage } from './build-page.ts'
import { notices } from './notices.ts'

// Packs the command line and all it loads into a few files of JavaScript: a start then opens tens of
// files instead of fifteen hundred, and strips no types. What holds machine code or files of its own
// stays where it is.

const folder = process.argv[2] ?? join(import.meta.dirname, 'dist')

const { output } = await build({
  input: {
    cli: join(import.meta.dirname, 'src/cli.ts'),
    'bulk-thread': join(import.meta.dirname, '../adapters/src/bulk-thread.ts'),
    'catalogue-thread': join(import.meta.dirname, '../adapters/src/catalogue/catalogue-thread.ts'),
    'evm-thread': join(import.meta.dirname, '../adapters/src/chain/evm-thread.ts'),
    'signer-thread': join(import.meta.dirname, '../adapters/src/ledger/signer-thread.ts'),
  },
  platform: 'node',
  external: ['@nomicfoundation/edr', '@fastify/swagger-ui'],
  plugins: [notices()],
  output: { format: 'esm' },
  logLevel: 'warn',
  write: false,
})
const texts = new Map(output.map((it) => [it.fileName, it.type === 'chunk' ? it.code : it.source]))

// A server that runs from here may yet load a file, so none is away for a moment, or half written.
mkdirSync(folder, { recursive: true })
for (const [name, text] of texts) {
  const path = join(folder, name)
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(text))) continue
  const aside = `${path}.${process.pid}`
  writeFileSync(aside, text)
  renameSync(aside, path)
}
await buildPage(join(folder, 'page'))

for (const name of readdirSync(folder)) {
  if (name !== 'page' && !texts.has(name)) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
