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
import { build, type InputOption, type Plugin } from 'rolldown'
import { fillInCommit, sourceCommit } from './build-commit.ts'
import { buildPage } from './build-page.ts'
import { copyDrawing } from './copy-drawing.ts'
import { noticesFile, noticesText } from './notices.ts'
import {
  chooseProgram,
  lazyBuiltins,
  programs,
  serveAlone,
  withoutServe,
} from './program-plugins.ts'

// Packs the command line and its dependencies into a few JavaScript files: a start then opens tens
// of files instead of fifteen hundred, and strips no types. Packages with native code or with files
// of their own are not packed.
//
// The command `serve` and each worker are packed alone: what many commands share becomes many small
// files, each of which takes time to find, and a start needs them all.

const folder = process.argv[2] ?? join(import.meta.dirname, 'dist')

const commit = sourceCommit()
// Each worker program is in the folder of the module that starts it, also when packed.
const workers = [
  '../adapters/src/catalogue/queries/query-worker-program',
  '../adapters/src/cipher/crypto-worker-program',
  '../adapters/src/embedded-chain/evm-worker-program',
  '../adapters/src/formats/import-aside-program',
  '../adapters/src/json-path/path-worker-program',
  '../adapters/src/ledger/signatures/signature-recovery-worker-program',
  '../adapters/src/ledger/signer/pkcs11/pkcs11-program',
  '../adapters/src/recall/recall-worker-program',
  'src/server/sharing/draw-worker-program',
].map((path) => join(import.meta.dirname, path))

async function pack(input: InputOption, plugins: readonly Plugin[] = []) {
  const { output } = await build({
    input,
    platform: 'node',
    external: ['@nomicfoundation/edr', ...programs],
    plugins: [lazyBuiltins(), fillInCommit(commit), ...plugins],
    output: { format: 'esm' },
    logLevel: 'warn',
    // On a busy machine callbacks are slow, which is no warning about the program.
    checks: { bundlerTimings: false },
    write: false,
  })
  return output
}

const cli = join(import.meta.dirname, 'src/cli')
const runCommand = join(cli, 'run-command.ts')
const outputs = await Promise.all([
  pack({ cli: `${cli}.ts` }, [chooseProgram()]),
  pack({ commands: runCommand }, [withoutServe()]),
  pack({ serve: runCommand, 'serve-command': join(cli, 'operator/serve.ts') }, [serveAlone()]),
  ...workers.map((path) => pack({ [basename(path)]: `${path}.ts` })),
])
const texts = new Map(
  outputs.flat().map((it) => [it.fileName, it.type === 'chunk' ? it.code : it.source]),
)
const modules = outputs.flat().flatMap((it) => (it.type === 'chunk' ? it.moduleIds : []))
texts.set(noticesFile, noticesText(modules))

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
copyDrawing(join(folder, 'drawing'))

for (const name of readdirSync(folder)) {
  if (name !== 'page' && name !== 'drawing' && !texts.has(name)) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
