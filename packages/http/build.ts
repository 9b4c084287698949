import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'rolldown'
import { buildPage } from './build-page.ts'
import { notices } from './notices.ts'

// Packs the command line and its dependencies into a few JavaScript files: a start then opens tens
// of files instead of fifteen hundred, and strips no types. Packages with native code or with files
// of their own are not packed.

const folder = process.argv[2] ?? join(import.meta.dirname, 'dist')

const adapters = join(import.meta.dirname, '../adapters/src')
// Each worker program is in the folder of the module that starts it, also when packed.
const workers = [
  'catalogue/queries/query-worker-program',
  'cipher/crypto-worker-program',
  'embedded-chain/evm-worker-program',
  'ledger/signatures/signature-recovery-worker-program',
]

const { output } = await build({
  input: {
    cli: join(import.meta.dirname, 'src/cli.ts'),
    ...Object.fromEntries(workers.map((path) => [basename(path), join(adapters, `${path}.ts`)])),
  },
  platform: 'node',
  external: ['@nomicfoundation/edr', '@fastify/swagger-ui'],
  plugins: [notices()],
  output: { format: 'esm' },
  logLevel: 'warn',
  write: false,
})
const texts = new Map(output.map((it) => [it.fileName, it.type === 'chunk' ? it.code : it.source]))

// A server that runs from this folder may load a file at any time, so each is replaced atomically.
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
