import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildLibraries, workspace } from './build-libraries.ts'

// Packs the four packages into the tarballs for a registry.

const folder = resolve(process.argv[2] ?? join(workspace, 'dist'))

await buildLibraries()
run(process.execPath, join(workspace, 'packages/http/build.ts'))
mkdirSync(folder, { recursive: true })
run('pnpm', '--recursive', '--filter', './packages/*', 'pack', '--pack-destination', folder)

function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: workspace, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
