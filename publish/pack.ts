import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildLibraries, workspace } from './build-libraries.ts'

// Packs what the four packages publish into the tarballs that a registry takes.

const folder = resolve(process.argv[2] ?? join(workspace, 'dist'))

await buildLibraries()
run(process.execPath, join(workspace, 'packages/http/build.ts'))
mkdirSync(folder, { recursive: true })
run('pnpm', '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder)

function run(program: string, ...words: readonly string[]): void {
  const { status } = spawnSync(program, words, { cwd: workspace, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
