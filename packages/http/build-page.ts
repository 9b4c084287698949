import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

/** Builds the page into a folder, where every file has its compressed twins beside it. */
export async function buildPage(folder: string): Promise<void> {
  await build({
    root: join(import.meta.dirname, 'page'),
    configFile: false,
    logLevel: 'warn',
    // Vite would take what a developer's shell says for what is to be built.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // One style sheet, and no script or image in the document: its policy allows none.
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((it) => it.isFile())) {
    const path = join(file.parentPath, file.name)
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  }
}
