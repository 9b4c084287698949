import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { notices } from '../packages/http/notices.ts'

/** The root folder of the workspace. */
export const workspace = join(import.meta.dirname, '..')

/**
 * Compiles the libraries of all packages from scratch, each into its `lib`. Types are not checked
 * again, which takes two thirds of the time: `pnpm types` checks the same files.
 */
export async function buildLibraries(): Promise<void> {
  const packages = join(workspace, 'packages')
  for (const output of globSync(['*/lib', '*/*.tsbuildinfo'], { cwd: packages })) {
    rmSync(join(packages, output), { recursive: true })
  }
  const compiler = join(workspace, 'node_modules/.bin/tsc')
  const { status } = spawnSync(
    compiler,
    ['-b', '--noCheck', join(packages, 'http/tsconfig.lib.json')],
    { stdio: 'inherit' },
  )
  if (status !== 0) throw new Error('The libraries do not compile.')
  await bundleDevDependencies(join(packages, 'adapters'))
}

/**
 * Bundles the development dependencies of a package into its library. The library uses a fiftieth
 * of Helia and libp2p, and as dependencies they would make npm install React Native.
 */
async function bundleDevDependencies(folder: string): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const external = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  })
  const lib = join(folder, 'lib')
  const files = globSync('**/*.js', { cwd: lib })
  await build({
    input: Object.fromEntries(files.map((file) => [file.slice(0, -3), join(lib, file)])),
    platform: 'node',
    external: (id) => isBuiltin(id) || external.some((name) => `${id}/`.startsWith(`${name}/`)),
    plugins: [notices()],
    output: { dir: lib, format: 'esm', chunkFileNames: 'packed/[name].js' },
    logLevel: 'warn',
  })
}

/**
 * Rewrites the declarations below a folder, so that compilers before TypeScript 5.7 read them, to whom arrays
 * of bytes are not generic. Newer ones read the same types as before.
 */
export function lowerDeclarations(folder: string): void {
  for (const path of globSync('**/*.d.ts', { cwd: folder, exclude: ['**/node_modules/**'] })) {
    const text = readFileSync(join(folder, path), 'utf8')
    const lowered = text
      .replaceAll(/\b(\w+Array|Buffer)<ArrayBufferLike>|\b(Buffer)<ArrayBuffer>/g, '$1$2')
      .replaceAll(/\b(\w+Array)<ArrayBuffer>/g, "ReturnType<$1['slice']>")
    if (lowered !== text) writeFileSync(join(folder, path), lowered)
  }
}
