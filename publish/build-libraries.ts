import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { notices } from '../packages/http/notices.ts'

/** The folder of the workspace. */
export const workspace = join(import.meta.dirname, '..')

/** Compiles the libraries of all packages, each into its `lib`, anew. */
export async function buildLibraries(): Promise<void> {
  const packages = join(workspace, 'packages')
  for (const left of globSync(['*/lib', '*/*.tsbuildinfo'], { cwd: packages })) {
    rmSync(join(packages, left), { recursive: true })
  }
  const compiler = join(workspace, 'node_modules/.bin/tsc')
  const { status } = spawnSync(compiler, ['-b', join(packages, 'http/tsconfig.lib.json')], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The libraries do not compile.')
  await packIn(join(packages, 'adapters'))
}

/**
 * Packs into a library what its development alone depends on. Of Helia and libp2p a fiftieth is
 * used, and with them npm would install React Native.
 */
async function packIn(folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const stays = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  })
  const lib = join(folder, 'lib')
  const files = globSync('**/*.js', { cwd: lib })
  await build({
    input: Object.fromEntries(files.map((file) => [file.slice(0, -3), join(lib, file)])),
    platform: 'node',
    external: (id) => isBuiltin(id) || stays.some((name) => `${id}/`.startsWith(`${name}/`)),
    plugins: [notices()],
    output: { dir: lib, format: 'esm', chunkFileNames: 'packed/[name].js' },
    logLevel: 'warn',
  })
}
