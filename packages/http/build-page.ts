import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { notices } from './notices.ts'
import { mainViews } from './src/api/main-views.ts'
import { filesIn, sumOf } from './sum-of.ts'

/** Matches the modules that every view needs, which are packed into one file instead of twenty. */
const isBase =
  /node_modules\/(\.pnpm\/)?(@preact|preact)|(page\/src\/(api|parts|text|route|acts\/pending-act|wallet\/(connected|rpc-provider))|src\/client\/transport\/with-query)/

/** Matches the modules that the page of a memory begins with; what its tabs show is loaded with them. */
const isMemory =
  /page\/src\/(token\/(token|terms-panel|offers|list-form|royalty-form|memory-facts|price-split|use-\w+|uses|rating-summary)\.|acts\/(listing-terms|terms-table)|formats\/describe-format|parts\/tabs)|core\/src\/bundles\/memory-facts/

/** Builds the page into a folder, unless that was built from the same sources. */
export async function buildPage(folder: string): Promise<void> {
  const stamp = join(folder, 'made-of')
  const sources = sumOf(madeOf)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  const aside = `${folder}.${process.pid}`
  await buildInto(aside)
  compress(aside)
  writeFileSync(join(aside, 'made-of'), sources)
  // A server reads the whole folder when it starts, so it is replaced in one step.
  rmSync(folder, { recursive: true, force: true })
  renameSync(aside, folder)
}

const madeOf = [
  'docs/guides',
  'packages/adapters/src/diff',
  'packages/adapters/src/formats',
  'packages/adapters/src/json-path',
  'packages/adapters/src/ledger',
  'packages/adapters/src/platform',
  'packages/adapters/src/recall',
  'packages/adapters/src/scan',
  'packages/adapters/src/wallet',
  'packages/core/src',
  'packages/http/build-page.ts',
  'packages/http/notices.ts',
  'packages/http/page',
  'packages/http/src/api',
  'packages/http/src/client',
  'packages/http/src/wallet',
  'pnpm-lock.yaml',
]

/** A build that is slow on a busy machine is no problem of the page. */
const quiet = { bundlerTimings: false }

async function buildInto(folder: string): Promise<void> {
  // Loaded only here: most starts have nothing to build.
  const { build } = await import('vite')
  const root = join(import.meta.dirname, 'page')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Without it, Vite would take the mode from NODE_ENV of the shell.
    mode: 'production',
    plugins: [notices(root), { name: 'masthead', transformIndexHtml: addMasthead }],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // Some packages have a variant for workers, which have no document to parse HTML with.
    resolve: { conditions: ['worker', 'module', 'browser', 'production'] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // One style sheet, and nothing inlined: the content security policy allows no inline script or image.
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'] },
              { name: 'base', test: isBase },
              { name: 'memory', test: isMemory },
            ],
          },
        },
        checks: quiet,
      },
    },
    worker: { format: 'es', rolldownOptions: { checks: quiet } },
  })
}

/** Adds the links of the masthead to the document, which shows them before any script; the buttons come with the page. */
function addMasthead(document: string): string {
  const links = mainViews.map(([path, name]) => `<li><a href="${path}">${name}</a></li>`).join('')
  const masthead = [
    '<header class="masthead"><a class="brand" href="/" aria-label="Heirloom, home">',
    '<svg viewBox="0 0 32 32" aria-hidden="true"></svg><span>Heirloom</span></a>',
    `<nav aria-label="Main"><ul>${links}</ul></nav><div class="tools"></div></header>`,
  ].join('')
  return document.replace('<!-- masthead -->', masthead)
}

/** Writes a gzip and a brotli file beside every file. */
function compress(folder: string): void {
  for (const path of filesIn(folder)) {
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  }
}
