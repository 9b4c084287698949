import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { elsewhere } from '../elsewhere.ts'
import { allPeers, isOf } from './entrances.ts'
import { expandDeclarations } from './expand-declarations.ts'
import { inputOf } from './inputs.ts'
import { requireNoDependency } from './require-no-dependency.ts'

/** Bundles the declarations of the client, which the compiler made, into a few files. */
export async function bundleTypes(workspace: string, folder: string): Promise<void> {
  const { output } = await build({
    input: inputOf(join(workspace, 'packages/http'), 'declarations'),
    platform: 'neutral',
    external: (id) => isOf([...allPeers, '@sinclair/typebox'], id),
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [
      declarationsOf(join(workspace, 'packages')),
      dts({ dtsInput: true, emitDtsOnly: true, generator: 'oxc', tsconfig: false }),
    ],
    output: {
      dir: folder,
      format: 'esm',
      minifyInternalExports: false,
      chunkFileNames: 'shared/types.js',
    },
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
  })
  requireNoDependency(output)
}

/** Returns a plugin that finds compiled declarations, and expands the types in them. */
const declarationsOf = (packages: string): Plugin => ({
  name: 'declarations',
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      const known = elsewhere[id]
      if (known !== undefined) return join(packages, known)
      const path = join(dirname(importer ?? ''), id.replace(/\.[jt]s$/, '.d.ts'))
      return id.startsWith('.') && existsSync(path) ? path : undefined
    },
  },
  load: {
    order: 'pre',
    handler: (id) => (id.endsWith('.d.ts') && existsSync(id) ? expandDeclarations(id) : undefined),
  },
})
